import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { verify } from '../../src/audit/verify/verify.ts'
import { rejectRecord } from '../../src/review/decide.ts'
import { retryBatch } from '../../src/review/retry.ts'
import { JURISDICTION } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { until } from '../helpers/worker-process.ts'

const HEADER = 'permit_number,parcel_id,permit_type,issued_date,valuation'
const GOOD = 'UR-1,22-1,roof,2024-02-01,100.00'
const BAD = 'UR-2,22-2,roof,2024-02-30,200.00'

const fileOf = (lines: readonly string[]) => ({
  name: 'r.csv',
  bytes: `${HEADER}\n${lines.join('\n')}\n`,
  type: 'text/csv'
})

async function send(p: TestPipeline, ...lines: readonly string[]) {
  const { id } = await p.submit([fileOf(lines)], { force: true })
  await p.finished(id)
  return p.records(id)
}

const pathOf = async (p: TestPipeline, batchId: string): Promise<string> => {
  const { rows } = await p.pool.query<{ key: string }>(
    `select jurisdiction || '/' || id as key from file where batch_id = $1`,
    [batchId]
  )
  return join(p.config.payloadFolder, rows[0]?.key ?? '')
}

/** A batch whose payload was damaged while it was worked, so that its records are held unread; whole again afterwards. */
async function heldUnread(p: TestPipeline, lines: readonly string[], submissions = 1): Promise<string[]> {
  const ids: string[] = []
  const restore: (() => Promise<void>)[] = []
  for (let i = 0; i < submissions; i += 1) {
    const { id } = await p.submit([fileOf(lines)], { force: true })
    const path = await pathOf(p, id)
    const whole = await readFile(path)
    await writeFile(path, Buffer.alloc(whole.length - 1, 'x'))
    restore.push(() => writeFile(path, whole))
    ids.push(id)
  }
  const slots = p.work()
  for (const id of ids) await p.finished(id)
  await slots.stop()
  for (const mend of restore) await mend()
  return ids
}

async function runAgain(p: TestPipeline, batchId: string): Promise<number> {
  const { retried } = await retryBatch(p.deps, {
    jurisdiction: JURISDICTION,
    batchId,
    actor: 'key:clerk',
    codes: ['PAYLOAD_DAMAGED']
  })
  await until(async () => (await p.pool.query('select 1 from record where retry_requested')).rowCount === 0)
  return retried
}

async function isWhole(t: Test, p: TestPipeline): Promise<void> {
  t.same((await verify({ pool: p.pool })).offenders, [], 'everything verifies')
}

const versions = async (p: TestPipeline): Promise<number> =>
  (await p.pool.query('select 1 from canonical_record')).rowCount ?? -1

t.test('the same row as one that was held unread and then read is its duplicate, not a second version', async t => {
  const p = await testPipeline(t)
  const [batchId = ''] = await heldUnread(p, [GOOD, BAD])
  t.match(await p.records(batchId), [{ codes: ['PAYLOAD_DAMAGED'] }, { codes: ['PAYLOAD_DAMAGED'] }])
  p.work()
  t.equal(await runAgain(p, batchId), 2)
  const [good, bad] = await p.records(batchId)
  t.match([good, bad], [{ state: 'accepted' }, { state: 'quarantined', codes: ['INVALID_DATE'] }])
  const again = await send(p, GOOD, BAD)
  t.match(again, [
    { state: 'accepted', duplicate_of: good?.id },
    { state: 'quarantined', duplicate_of: bad?.id }
  ])
  t.equal(await versions(p), 1)
  await isWhole(t, p)
})

t.test('a row read at last that is held elsewhere, or was decided about, goes the way of that content', async t => {
  const p = await testPipeline(t)
  const slots = p.work()
  const [twin] = await send(p, BAD)
  const OTHER = BAD.replaceAll('UR-2', 'UR-3')
  const [decided] = await send(p, OTHER)
  const target = { jurisdiction: JURISDICTION, recordId: decided?.id ?? '', revision: 1, actor: 'key:clerk' }
  await rejectRecord(p.deps, target, { reason: 'CANCELLED_BY_CLERK', comment: 'withdrawn' })
  await slots.stop()
  const [batchId = ''] = await heldUnread(p, [GOOD, BAD, OTHER])
  p.work()
  await runAgain(p, batchId)
  t.match(await p.records(batchId), [
    { state: 'accepted', duplicate_of: null },
    { state: 'quarantined', duplicate_of: twin?.id, codes: ['INVALID_DATE', 'DUPLICATE_RECORD'] },
    { state: 'rejected', duplicate_of: decided?.id }
  ])
  await isWhole(t, p)
})

t.test('what followed an unread record follows it under its new key, accepted or held', async t => {
  const p = await testPipeline(t)
  const both = await heldUnread(p, [GOOD, BAD], 2)
  const led = await p.pool.query<{ id: string }>(
    'select batch_id as id from record where duplicate_of is null and item = 1'
  )
  const first = led.rows[0]?.id ?? ''
  const second = both.find(id => id !== first) ?? ''
  p.work()
  t.equal(await runAgain(p, first), 2)
  const [good, bad] = await p.records(first)
  t.match(await p.records(second), [
    { state: 'accepted', duplicate_of: good?.id },
    { state: 'quarantined', duplicate_of: bad?.id, codes: ['INVALID_DATE', 'DUPLICATE_RECORD'] }
  ])
  await isWhole(t, p)
  const third = await send(p, GOOD, BAD)
  t.match(third, [{ duplicate_of: good?.id }, { duplicate_of: bad?.id }])
  t.equal(await versions(p), 1)
})

t.test('a key that changes without an entry that tells of it is found', async t => {
  const p = await testPipeline(t)
  const [batchId = ''] = await heldUnread(p, [GOOD, BAD])
  p.work()
  await runAgain(p, batchId)
  t.match(await p.records(batchId), [{ state: 'accepted' }, { state: 'quarantined' }])
  await isWhole(t, p)
  await p.pool.query(`update record set idempotency_key = sha256('another') where state = 'accepted'`)
  const found = (await verify({ pool: p.pool })).offenders.map(offender => offender.check)
  t.ok(found.includes('entry-facts'), found.join())
})
