import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { JURISDICTION } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { errorsOf } from './corrections/round-trip.ts'

const HEADER = 'permit_number,parcel_id,permit_type,valuation\n'
const ROWS = [1, 2, 3].map(n => `AP-${n},22-${n},roof,100.00\n`).join('')

const pathOf = async (p: TestPipeline, batchId: string): Promise<string> => {
  const { rows } = await p.pool.query<{ id: string }>('select id from file where batch_id = $1', [batchId])
  return join(p.config.payloadFolder, JURISDICTION, rows[0]?.id ?? '')
}

/** Sends a file, alters its stored bytes before its chunk is worked, and answers the codes of its records. */
async function altered(t: Test, change: (bytes: string) => string): Promise<unknown[]> {
  const p = await testPipeline(t)
  const { id } = await p.submit([{ name: 'p.csv', bytes: HEADER + ROWS, type: 'text/csv' }])
  const path = await pathOf(p, id)
  const before = await readFile(path, 'latin1')
  const after = change(before)
  t.equal(after.length, before.length, 'the same size')
  await writeFile(path, after, 'latin1')
  p.work()
  await p.finished(id)
  return (await p.records(id)).map(({ state, codes }) => [state, ...codes])
}

const DAMAGED = Array.from({ length: 3 }, () => ['quarantined', 'PAYLOAD_DAMAGED'])

t.test('bytes that were altered behind the split are not read as content, though the rows still count', async t => {
  t.strictSame(await altered(t, bytes => bytes.replace('100.00', '900.00')), DAMAGED, 'an amount')
  t.strictSame(await altered(t, bytes => bytes.replace('roof,100.00\n', 'roof,100.0\n\n')), DAMAGED, 'a blank line')
  const untouched = await altered(t, bytes => bytes)
  t.strictSame(
    untouched,
    Array.from({ length: 3 }, () => ['accepted']),
    'and nothing else is refused'
  )
  const header = await altered(t, bytes => bytes.replace('valuation', 'valuatiox'))
  t.strictSame(
    header,
    Array.from({ length: 3 }, () => ['accepted']),
    'the header was read before'
  )
})

t.test('nor do altered bytes go out in the errors file, nor keep those of other chunks from it', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '2' })
  const rows = [1, 2, 3, 4].map(n => `AQ-${n},22-${n},roof,?\n`).join('')
  p.work()
  const { id } = await p.submit([{ name: 'p.csv', bytes: HEADER + rows, type: 'text/csv' }])
  await p.finished(id)
  const path = await pathOf(p, id)
  const bytes = await readFile(path, 'latin1')
  await writeFile(path, bytes.replace('AQ-1,22-1', 'AQ-9,22-9'), 'latin1')
  const lines = (await errorsOf(p, id)).toString().trimEnd().split(/\r?\n/)
  t.equal(lines.length, 5)
  t.match(lines[1], /^,,,,[\da-f-]{36},2,/, 'only its name')
  t.match(lines[2], /^,,,,/)
  t.match(lines[3], /^AQ-3,22-3,roof,\?,/)
  await writeFile(path, bytes, 'latin1')
  t.match((await errorsOf(p, id)).toString(), /AQ-1,22-1,roof/, 'whole again')
})
