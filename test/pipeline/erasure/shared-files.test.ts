import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { findSameContent } from '../../../src/db/retention/erasures.ts'
import { AppError } from '../../../src/errors.ts'
import { eraseRecords, finishErasures } from '../../../src/pipeline/erasure/erase-records.ts'
import { changeHold } from '../../../src/pipeline/erasure/legal-holds.ts'
import type { SettleDeps } from '../../../src/pipeline/erasure/settle-payload.ts'
import { findCanaries } from '../../helpers/canaries.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { type TestFile, testPipeline } from '../../helpers/pipeline.ts'
import { makeZip } from '../../media/zip-builder.ts'
import { HEADER } from './erased-permits.ts'

const CANARY = 'Zebulon Quack'
const KEY = 'zquack-7'
const row = (n: number, name: string): string => `P-${n},BLDG,1234567${n},53033,1.00,${name}`
const table = (...rows: string[]): string => [HEADER, ...rows].join('\n')
const csv = (...rows: string[]): TestFile => ({ name: 'a.csv', bytes: table(...rows), type: 'text/csv' })
const zip = (...tables: string[]): TestFile => ({
  name: 'a.zip',
  bytes: makeZip(tables.map((text, n) => ({ name: `${n}.csv`, content: Buffer.from(text) }))),
  type: 'application/zip'
})
const down = (): Promise<never> => Promise.reject(new AppError('STORE_UNAVAILABLE', 'The store is away.'))

async function world(t: Parameters<typeof testPipeline>[0]) {
  const pipeline = await testPipeline(t)
  const { pool, deps, folder } = pipeline
  pipeline.work()
  const send = async (file: TestFile, options?: Parameters<typeof pipeline.submit>[1]) => {
    const { id } = await pipeline.submit([file], options)
    await pipeline.finished(id)
    return pipeline.records(id)
  }
  const erase = async (id: string | undefined, mode: 'overwrite' | 'share' = 'overwrite', on: SettleDeps = deps) => {
    const work = { jurisdiction: JURISDICTION, actor: 'key:x', reason: 'court_order', rule: null, mode } as const
    return eraseRecords(on, work, await findSameContent(pool, JURISDICTION, id ?? ''))
  }
  const seen = async (canary = CANARY): Promise<unknown[]> => (await findCanaries(pool, [folder], [canary])).found
  const faults = async () => (await verify({ pool, store: deps.store, payloads: true })).offenders
  return { pipeline, pool, deps, send, erase, seen, faults }
}

t.test('an archive goes with the last of its files, whatever happens between the two', async t => {
  const { deps, send, erase, seen, faults } = await world(t)
  const [one] = await send(zip(table(row(1, CANARY))))
  await t.rejects(erase(one?.id, 'overwrite', { ...deps, store: { ...deps.store, remove: down } }), {
    code: 'STORE_UNAVAILABLE'
  })
  t.ok((await seen()).length > 0)
  await finishErasures(deps)
  t.strictSame(await seen(), [])
  t.strictSame(await faults(), [])
})

t.test('a file is not removed with a record in it that is on legal hold', async t => {
  const { pool, deps, send, erase, seen, faults } = await world(t)
  const [one, two] = await send(zip(table(row(1, CANARY), row(2, 'Ann')), table(row(3, 'Bo'))))
  const hold = (places: boolean) =>
    changeHold(deps, { kind: 'record', jurisdiction: JURISDICTION, id: two?.id ?? '' }, { actor: 'key:x', places })
  await hold(true)
  await t.rejects(erase(one?.id, 'share'), { code: 'LEGAL_HOLD', details: { record_ids: [two?.id] } })
  t.equal((await pool.query('select 1 from record_erasure')).rowCount, 0, 'before anything is changed')
  await hold(false)

  // The hold comes between the values and the file.
  const late = { ...deps, store: { ...deps.store, open: down, remove: down } }
  await pool.query(
    `create function hold_late() returns trigger language plpgsql as $$ begin
       insert into legal_hold (jurisdiction, id, kind, subject_id, placed_by)
       values (new.jurisdiction, gen_random_uuid(), 'record', '${two?.id}', 'key:x') on conflict do nothing; return null; end $$`
  )
  await pool.query('create trigger hold_late after insert on record_erasure for each row execute function hold_late()')
  await t.rejects(erase(one?.id, 'share', late), { code: 'LEGAL_HOLD' })
  await pool.query('drop trigger hold_late on record_erasure')
  await t.rejects(finishErasures(deps), { code: 'LEGAL_HOLD' })
  t.ok((await seen()).length > 0, 'the file waits for the hold')
  await hold(false)
  await finishErasures(deps)
  t.strictSame(await seen(), [])
  t.strictSame(await faults(), [])
})

t.test('the files of dry runs with the same content go, too', async t => {
  const { send, erase, seen, faults } = await world(t)
  await send(csv(row(1, CANARY), row(2, 'Ann')), { dryRun: true })
  const [one] = await send(csv(row(1, CANARY), row(3, 'Ann')))
  await erase(one?.id)
  t.strictSame(await seen(), [])
  t.strictSame(await faults(), [])
})

t.test('a natural key is hidden with all that repeated it, and not before', async t => {
  const { pool, send, erase, seen, faults } = await world(t)
  const [one] = await send(csv(row(1, 'Ann').replace('P-1', KEY), row(2, 'Ann')))
  const [two] = await send(csv(row(1, 'Bo').replace('P-1', KEY), row(3, 'Ann')))
  const [again] = await send(csv(row(1, 'Bo').replace('P-1', KEY), row(4, 'Ann')))
  t.equal(again?.duplicate_of, two?.id)
  await erase(one?.id)
  const { rows } = await pool.query('select natural_key from record where id = $1', [one?.id])
  t.match(rows[0], { natural_key: new RegExp(KEY) }, 'a version of it is left')
  await erase(two?.id)
  t.strictSame(await seen(KEY), [])
  t.strictSame(await faults(), [])
})
