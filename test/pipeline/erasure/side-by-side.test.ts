import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { findSameContent } from '../../../src/db/retention/erasures.ts'
import { AppError } from '../../../src/errors.ts'
import { eraseRecords, finishErasures } from '../../../src/pipeline/erasure/erase-records.ts'
import type { PayloadStore } from '../../../src/storage/payload-store.ts'
import { findCanaries } from '../../helpers/canaries.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { testPipeline } from '../../helpers/pipeline.ts'
import { HEADER, WORK } from './erased-permits.ts'

async function world(t: Parameters<typeof testPipeline>[0], names: readonly string[]) {
  const pipeline = await testPipeline(t)
  const { pool, deps } = pipeline
  pipeline.work()
  const rows = names.map((name, n) => `P-${n},BLDG,1234567${n},53033,1.00,${name}`)
  const { id } = await pipeline.submit([{ name: 'a.csv', bytes: [HEADER, ...rows].join('\n'), type: 'text/csv' }])
  await pipeline.finished(id)
  const found = []
  for (const record of await pipeline.records(id)) {
    found.push(await findSameContent(pool, JURISDICTION, record.id))
  }
  const entries = async (transition: string): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from audit_entry where position($1 in convert_from(entry, 'UTF8')) > 0`,
      [`["${transition}",`]
    )
    return rows[0]?.count ?? 0
  }
  const faults = async () => (await verify({ pool, store: deps.store, payloads: true })).offenders
  return { ...pipeline, found, entries, faults }
}

t.test('a record that many erase at once is erased once, and each of them is told so', async t => {
  const { deps, found, entries, faults } = await world(t, ['Ann', 'Ben'])
  const answers = await Promise.all(Array.from({ length: 8 }, () => eraseRecords(deps, WORK, found[0] ?? [])))
  t.equal(answers.flat().length, 1, 'one of them did it')
  t.equal(await entries('erased'), 1)
  t.equal(await entries('payload_overwritten'), 1)
  t.strictSame(await faults(), [])
})

t.test('what is erased while the overwriting of its file is prepared is overwritten too', async t => {
  const names = ['Zebulon Quack', 'Ann', 'Yolanda Quack']
  const { deps, pool, folder, found, faults } = await world(t, names)
  const { store } = deps
  const away = () => Promise.reject(new AppError('STORE_UNAVAILABLE', 'away'))
  let isMeanwhile = false
  // Another process erases the third row when this one has looked which rows are to be overwritten, and ends there.
  const open: PayloadStore['open'] = async (uri, range) => {
    if (!isMeanwhile) {
      isMeanwhile = true
      const ended = {
        ...deps,
        store: new Proxy(store, { get: (on, key) => (key === 'open' ? away : Reflect.get(on, key)) })
      }
      await t.rejects(eraseRecords(ended, WORK, found[2] ?? []), { code: 'STORE_UNAVAILABLE' })
    }
    return Readable.from([await buffer(await store.open(uri, range))])
  }
  const watched = new Proxy(store, { get: (on, key) => (key === 'open' ? open : Reflect.get(on, key)) })
  await eraseRecords({ ...deps, store: watched }, WORK, found[0] ?? [])
  t.ok(isMeanwhile)
  await finishErasures(deps)
  t.strictSame((await findCanaries(pool, [folder], ['Zebulon Quack', 'Yolanda Quack'])).found, [])
  t.ok((await findCanaries(pool, [folder], ['Ann'])).found.length > 0, 'the scan sees what is there')
  t.strictSame(await faults(), [])
})
