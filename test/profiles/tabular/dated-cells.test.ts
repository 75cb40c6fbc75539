import { test } from 'tap'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { gatherEvidence } from '../../../src/profiles/tabular/column-evidence.ts'
import { datedCells } from '../../../src/profiles/tabular/dated-cells.ts'
import { rowMapper } from '../../../src/profiles/tabular/row-mapper.ts'
import { blocking, CONTEXT } from '../rows.ts'

const NAMES = ['Application No', 'Parcel ID', 'Permit Type', 'Issue Date', 'Valuation']

test('a cell that a sheet knows to be a date is no identifier, in whatever column of one it stands', async t => {
  const read = (values: readonly string[], dated: readonly number[]) => {
    const row = { row: 1, line: 2, names: NAMES, values, dated }
    const shown = datedCells(permit, {})(row)
    t.strictSame(row.values, values, 'the row itself stays as it was sent')
    return rowMapper(permit, CONTEXT)(shown)
  }
  const good = ['A-1', '22-1', 'roof', '2024-03-04', '100.00']
  t.strictSame(blocking(read(good, [3]).reasons), [], 'a date is a date')
  const parcel = read(['A-1', '2024-03-04', 'roof', '2024-03-04', '100.00'], [1, 3])
  t.strictSame(blocking(parcel.reasons), ['ID_NUMERIC_COERCED parcel_id'])
  t.equal(parcel.fields['issued_date']?.value, '2024-03-04')
  const standIn = read(['2024-03-04', '22-1', 'roof', '', '100.00'], [0])
  t.strictSame(blocking(standIn.reasons), ['ID_NUMERIC_COERCED submission_id'], 'a column that only stands in')
  t.strictSame(
    blocking(read(['2024-03-04', '22-1', 'roof', '', '1.00'], []).reasons),
    [],
    'a text is as it was written'
  )
})

test('days beside texts that the sheet could not take for days may be other days than those written', async t => {
  const cells = (texts: readonly string[], days: readonly string[]) => {
    const rows = [...texts.map(value => ({ value, dated: [] })), ...days.map(value => ({ value, dated: [3] }))].map(
      ({ value, dated }, i) => ({
        row: i + 1,
        line: i + 2,
        names: NAMES,
        values: [`A-${i}`, '22-1', 'roof', value, '100.00'],
        dated
      })
    )
    const first = gatherEvidence(permit)
    for (const row of rows.slice(0, 1)) first.add(row)
    const evidence = gatherEvidence(permit, undefined, JSON.parse(JSON.stringify(first.state())))
    for (const row of rows.slice(1)) evidence.add(row)
    const context = { ...CONTEXT, evidence: evidence.result() }
    const [shown, map] = [datedCells(permit, context), rowMapper(permit, context)]
    return rows.map(row => map(shown(row)).fields['issued_date'])
  }
  const turned = cells(['13/04/2024', '28/02/2024'], ['2024-03-04', '2024-05-05', '2024-12-01T10:30:00'])
  t.match(turned, [
    { value: '2024-04-13' },
    { value: '2024-02-28' },
    { value: null, status: 'ambiguous' },
    { value: '2024-05-05' },
    { value: null, status: 'ambiguous' }
  ])
  t.same(new Set(turned[2]?.readings), new Set(['2024-04-03', '2024-03-04']), 'both readings are told')
  t.match(
    cells(['04/13/2024'], ['2024-03-04']).map(field => field?.status),
    ['found', 'ambiguous'],
    'the other way round too'
  )
  const sound = cells(['13/04/2024'], ['2024-03-04', '2024-03-25'])
  t.equal(sound[1]?.value, '2024-03-04', 'a day after the 12th was never a text in the other order')
  t.equal(cells(['2024-04-13'], ['2024-03-04'])[1]?.value, '2024-03-04', 'texts that have one reading turn nothing')
  t.equal(cells(['unknown'], ['2024-03-04'])[1]?.value, '2024-03-04')
})
