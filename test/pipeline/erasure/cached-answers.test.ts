import t from 'tap'
import { findRecordsById } from '../../../src/db/retention/erasures.ts'
import { eraseRecords } from '../../../src/pipeline/erasure/erase-records.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { testPipeline } from '../../helpers/pipeline.ts'
import { jsonRegistry, useRegistry } from '../../registries/json-registry.ts'
import { HEADER, WORK } from './erased-permits.ts'

t.test('what is kept of the parcel of an erased record goes with it, in whatever form it was asked for', async t => {
  const registry = await jsonRegistry(t)
  // It keeps the second parcel under its printed form alone.
  registry.answer = (keys, response) => {
    const rows = keys.filter(key => key !== '22118').map(id => ({ id, zone: `Z-${id}` }))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ rows, count: rows.length }))
  }
  const pipeline = await testPipeline(t)
  const { pool, deps } = pipeline
  await useRegistry(pool, registry)
  pipeline.work()
  const rows = ['P-1,BLDG,1234567890,53033,1.00,Ann', 'P-2,BLDG,22-118,53033,1.00,Ben']
  const { id } = await pipeline.submit([{ name: 'a.csv', bytes: [HEADER, ...rows].join('\n'), type: 'text/csv' }])
  await pipeline.finished(id)
  // Other forms of the second, of other kinds and jurisdictions, and a parcel whose number is longer.
  await pool.query(
    `insert into registry_cache (jurisdiction, kind, key, version) values
       ($1, 'parcel', '22118', 1), ($1, 'zoning', '22 118', 1), ($1, 'parcel', '22-1180', 1), ('99999', 'parcel', '22-118', 1)
     on conflict do nothing`,
    [JURISDICTION]
  )
  const kept = async (): Promise<string[]> => {
    const { rows: found } = await pool.query<{ at: string }>(
      `select concat_ws(' ', jurisdiction, kind, key) as at from registry_cache order by 1`
    )
    return found.map(({ at }) => at)
  }
  t.ok((await kept()).includes(`${JURISDICTION} parcel 22-118`), 'the registry was asked through the cache')
  const [, second] = await pipeline.records(id)
  const erased = await findRecordsById(pool, JURISDICTION, [second?.id ?? ''])
  t.equal((await eraseRecords(deps, WORK, erased)).length, 1)
  t.strictSame(await kept(), [
    `${JURISDICTION} parcel 1234567890`,
    `${JURISDICTION} parcel 22-1180`,
    '99999 parcel 22-118'
  ])
})
