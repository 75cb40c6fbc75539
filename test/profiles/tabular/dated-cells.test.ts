import { test } from 'tap'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { datedIdentifiers } from '../../../src/profiles/tabular/dated-cells.ts'
import { rowMapper } from '../../../src/profiles/tabular/row-mapper.ts'
import { blocking, CONTEXT } from '../rows.ts'

const NAMES = ['Application No', 'Parcel ID', 'Permit Type', 'Issue Date', 'Valuation']

test('a cell that a sheet knows to be a date is no identifier, in whatever column of one it stands', async t => {
  const read = (values: readonly string[], dated: readonly number[]) => {
    const row = { row: 1, line: 2, names: NAMES, values, dated }
    const shown = datedIdentifiers(permit, {})(row)
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
