import { readFileSync } from 'node:fs'
import { test } from 'tap'
import type { RawValue } from '../../../src/model/rows.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { gatherEvidence } from '../../../src/profiles/tabular/column-evidence.ts'
import { rowOf, rowsOf } from '../rows.ts'

function evidenceOf(rows: readonly Readonly<Record<string, RawValue>>[]) {
  const collector = gatherEvidence(permit)
  for (const row of rows) collector.add(rowOf(row))
  return collector.result()
}

test('one day above twelve proves the order of its column and of no other', async t => {
  const rows = rowsOf(readFileSync(new URL('../../fixtures/profiles/date-money-dm01.csv', import.meta.url), 'utf8'))
  const collector = gatherEvidence(permit)
  for (const row of rows) collector.add(row)
  t.match(collector.result(), { columns: [{ name: 'issued_date', dateOrder: 'dmy' }] })
  const two = evidenceOf([{ issued_date: '17/11/2023', applied_date: '05/11/2023' }])
  t.strictSame(two, { columns: [{ name: 'issued_date', dateOrder: 'dmy' }] })
})

test('a column that proves both orders proves neither', async t => {
  t.strictSame(evidenceOf([{ issued_date: '17/11/2023' }, { issued_date: '11/17/2023' }]), { columns: [] })
  t.strictSame(evidenceOf([{ valuation: '1.250,50' }, { valuation: '1,250.50' }]), { columns: [] })
})

test('an ISO date says nothing about the others', async t => {
  t.strictSame(evidenceOf([{ issued_date: '2023-11-17' }, { issued_date: '05/11/2023' }]), { columns: [] })
})

test('decimal signs, and only in columns of numbers', async t => {
  t.strictSame(evidenceOf([{ valuation: '1.250,50', description: '1,250.50', permit_number: '1.250,50' }]), {
    columns: [{ name: 'valuation', decimal: ',' }]
  })
})

test('rows with a fault and typed numbers prove nothing', async t => {
  const collector = gatherEvidence(permit)
  collector.add({ ...rowOf({ issued_date: '17/11/2023' }), fault: { code: 'COLUMN_COUNT_MISMATCH' } })
  collector.add(rowOf({ valuation: { json: '1250.50' } }))
  t.strictSame(collector.result(), { columns: [] })
})

test('the result is plain data', async t => {
  const result = evidenceOf([{ issued_date: '17/11/2023', valuation: '1.250,50' }])
  t.strictSame(JSON.parse(JSON.stringify(result)), result)
})

test('gathering goes on from a saved state as if it had never stopped', async t => {
  const rows = ['17/11/2023', '05/11/2023', '11/17/2023'].map(issued_date =>
    rowOf({ issued_date, valuation: '1.250,50' })
  )
  const whole = gatherEvidence(permit)
  let state = gatherEvidence(permit).state()
  for (const row of rows) {
    whole.add(row)
    const resumed = gatherEvidence(permit, undefined, JSON.parse(JSON.stringify(state)))
    resumed.add(row)
    state = resumed.state()
    t.strictSame(resumed.result(), whole.result())
  }
  t.strictSame(
    whole.result(),
    { columns: [{ name: 'valuation', decimal: ',' }] },
    'the third row contradicts the first'
  )
})
