import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { findSameContent } from '../../../src/db/retention/erasures.ts'
import { eraseRecords } from '../../../src/pipeline/erasure/erase-records.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { outsideWorld } from './world.ts'

t.test('an erased world passes both verifiers, and payloads must be what the entries say', async t => {
  const world = await outsideWorld(t)
  const { pool, deps } = world.pipeline
  const ids = await readdir(world.payloads)
  const before = new Map<string, Buffer>()
  for (const id of ids) before.set(id, await readFile(join(world.payloads, id)))
  // One row of a table of many, and a table of which nothing is left.
  const { id: alone } = await world.pipeline.submit([
    {
      name: 'x.csv',
      bytes: 'submission_id,permit_type_code,parcel_id,jurisdiction_fips,project_valuation\nX-1,BLDG,1234567,53033,1.00'
    }
  ])
  await world.pipeline.finished(alone)
  const { rows } = await pool.query<{ id: string; sole: boolean; file: string }>(
    `select id, batch_id = $1 as sole, file_id as file from record where state = 'accepted' order by batch_id = $1 desc, id limit 2`,
    [alone]
  )
  const whole = await readFile(join(world.payloads, rows[0]?.file ?? ''))
  for (const { id } of rows) {
    const work = {
      jurisdiction: JURISDICTION,
      actor: 'key:x',
      reason: 'court_order',
      rule: null,
      mode: 'overwrite'
    } as const
    t.strictSame(await eraseRecords(deps, work, await findSameContent(pool, JURISDICTION, id)), [id])
  }
  await world.seal()
  const path = await world.exported()
  const good = await world.verdicts(path, { payloads: true })
  t.match(good, { own: { status: 0 }, python: { status: 0 } }, [...good.own.lines, ...good.python.lines].join('\n'))
  t.strictSame(good.python.lines, good.own.lines)

  const judge = async (name: string, bytes: Buffer | undefined, check: string): Promise<void> => {
    const file = join(world.payloads, name)
    const kept = await readFile(file).catch(() => undefined)
    if (bytes) await writeFile(file, bytes)
    else await rm(file)
    const { own, python } = await world.verdicts(path, { payloads: true })
    t.match(own.lines.join('\n'), `FAILED ${check}: file ${name}`)
    t.strictSame(python.lines, own.lines, check)
    if (kept) await writeFile(file, kept)
    else await rm(file)
  }
  await judge(rows[0]?.file ?? '', whole, 'payload-kept')
  await judge(rows[1]?.file ?? '', before.get(rows[1]?.file ?? ''), 'payload-digest')
  await judge(rows[1]?.file ?? '', undefined, 'payload-missing')
})
