import { test } from 'tap'
import { blocking, mapPermit, permitRow, rowOf } from '../rows.ts'

test('a clean row gives found values with their cells', async t => {
  const { fields, reasons, extra } = mapPermit(permitRow({ issued_date: '2024-02-06', ward: '7' }))
  t.strictSame(reasons, [])
  t.strictSame(fields['submission_id'], {
    value: 'BP-0001',
    raw: 'BP-0001',
    status: 'found',
    confidence: 1,
    origin: { row: 1, column: 'permit_number', line: 2 },
    flags: []
  })
  t.match(fields['project_valuation'], { value: '8400.00', raw: '8400.00' })
  t.match(fields['jurisdiction_fips'], { value: '53033', raw: null, status: 'derived', flags: ['FROM_BATCH'] })
  t.same(extra, { ward: '7' })
})

test('all missing required fields are told at once, with the cell where there is one', async t => {
  const { reasons } = mapPermit(rowOf({ permit_number: '', ward: '7', valuation: ' \t ' }))
  t.strictSame(blocking(reasons), [
    'FIELD_MISSING submission_id',
    'FIELD_MISSING permit_type_code',
    'FIELD_MISSING parcel_id',
    'FIELD_MISSING project_valuation'
  ])
  t.strictSame(reasons[0]?.origin, { row: 1, column: 'permit_number', line: 2 })
  t.strictSame(reasons[1]?.origin, { row: 1, line: 2 })
})

test('an absent optional value is no reason, an unreadable one is', async t => {
  for (const blank of ['', '  ', 'N/A', 'TBD', '-']) {
    t.strictSame(mapPermit(permitRow({ issued_date: blank })).reasons, [], JSON.stringify(blank))
  }
  const cases: [string, string, string][] = [
    ['issued_date', '2024-02-30', 'INVALID_DATE issued_date'],
    ['issued_date', '03/04/2024', 'AMBIGUOUS_DATE issued_date'],
    ['issued_date', '45337', 'INVALID_DATE issued_date'],
    ['units', '72.5', 'INVALID_NUMBER housing_units'],
    ['total_fee', '1.234', 'AMBIGUOUS_NUMBER stated_fee'],
    ['total_fee', '12.345.6', 'INVALID_NUMBER stated_fee'],
    ['master_permit', '1.70312E+13', 'ID_NUMERIC_COERCED master_permit_num']
  ]
  for (const [column, cell, reason] of cases) {
    const { reasons, fields } = mapPermit(permitRow({ [column]: cell }))
    t.strictSame(blocking(reasons), [reason], `${column} ${cell}`)
    t.equal(fields[reason.split(' ')[1] ?? '']?.value, null)
    t.notOk(JSON.stringify(reasons.map(entry => entry.message)).includes(cell), 'no submitted value in a message')
  }
})

test('a required value that cannot be read holds under its own code', async t => {
  const cases: [string, string, string][] = [
    ['parcel_id', '7.40266E+12', 'ID_NUMERIC_COERCED parcel_id'],
    ['valuation', '(1,250.00)', 'NEGATIVE_AMOUNT project_valuation'],
    ['valuation', '€1,250.00', 'UNEXPECTED_CURRENCY project_valuation'],
    ['valuation', '15,000 - 20,000', 'RANGE_NOT_SCALAR project_valuation'],
    ['valuation', '12.3456', 'INVALID_NUMBER project_valuation'],
    ['valuation', '12345678901234567.00', 'INVALID_NUMBER project_valuation'],
    ['valuation', 'N/A', 'FIELD_MISSING project_valuation'],
    ['parcel_id', 'TBD', 'PLACEHOLDER parcel_id'],
    ['parcel_id', '9'.repeat(61), 'FIELD_INVALID parcel_id']
  ]
  for (const [column, cell, reason] of cases) {
    t.strictSame(blocking(mapPermit(permitRow({ [column]: cell })).reasons), [reason], `${column} ${cell}`)
  }
})

test('an ambiguous date keeps both readings and takes neither', async t => {
  const row = permitRow({ issued_date: '03/04/2024' })
  t.match(mapPermit(row).fields['issued_date'], {
    value: null,
    status: 'ambiguous',
    readings: ['2024-03-04', '2024-04-03']
  })
  const evidence = { columns: [{ name: 'issued_date', dateOrder: 'dmy' as const }] }
  t.equal(mapPermit(row, { evidence }).fields['issued_date']?.value, '2024-04-03', 'the column proves it')
  t.equal(mapPermit(row, { source: { dateOrder: 'mdy' } }).fields['issued_date']?.value, '2024-03-04', 'declared')
  t.equal(mapPermit(row, { evidence, source: { dateOrder: 'mdy' } }).fields['issued_date']?.value, '2024-03-04')
  const other = { columns: [{ name: 'applied_date', dateOrder: 'dmy' as const }] }
  t.equal(mapPermit(row, { evidence: other }).fields['issued_date']?.value, null, 'another column proves nothing')
})

test('two columns of one field', async t => {
  const both = (a: string, b: string) => mapPermit(permitRow({ site_address: a, address: b }))
  t.strictSame(both('9 Elm St', '9  Elm St').reasons, [], 'the same value')
  t.equal(both('', '9 Elm St').fields['site_address']?.value, '9 Elm St', 'one is blank')
  const differing = both('9 Elm St', '11 Elm St')
  t.strictSame(blocking(differing.reasons), ['MULTIPLE_CANDIDATES site_address'])
  t.match(differing.fields['site_address'], { value: null, status: 'ambiguous', readings: ['9 Elm St', '11 Elm St'] })
  const three = mapPermit(permitRow({ site_address: '1 A St', address: '2 B St', job_address: '3 C St' }))
  t.strictSame(three.fields['site_address']?.readings, ['1 A St', '2 B St', '3 C St'])
})

test('two columns of one name', async t => {
  const row = permitRow({ status: 'issued' })
  const twice = (second: string) =>
    mapPermit({ ...row, names: [...row.names, 'Status'], values: [...row.values, second] })
  t.strictSame(blocking(twice('expired').reasons), ['DUPLICATE_HEADER status'])
  t.strictSame(blocking(twice('issued').reasons), [])
})

test('a column stands in only when there is nothing of its own', async t => {
  const stood = mapPermit(permitRow({ permit_number: undefined, id: 'X-1', case_number: 'C-1' })).fields[
    'submission_id'
  ]
  t.match(stood, { value: 'C-1', flags: ['FALLBACK_COLUMN'], origin: { column: 'case_number' } })
  const own = mapPermit(permitRow({ id: 'X-1' }))
  t.equal(own.fields['submission_id']?.value, 'BP-0001')
  t.same(own.extra, { id: 'X-1' }, 'and is kept beside')
})

test('a row that could not be cut into cells has its fault and nothing else', async t => {
  const fault = { code: 'COLUMN_COUNT_MISMATCH', detail: '7 cells for 8 columns' } as const
  const { fields, reasons } = mapPermit({
    row: 2,
    line: 3,
    names: ['permit_number', 'valuation'],
    values: ['22-138'],
    fault
  })
  t.strictSame(fields, {})
  t.match(reasons, [{ code: 'COLUMN_COUNT_MISMATCH', severity: 'block', field: null, origin: { row: 2, line: 3 } }])
  t.match(reasons[0]?.message, '7 cells for 8 columns')
})

test('a fault in a row with cells is told beside what was read', async t => {
  const { fields, reasons } = mapPermit({ ...permitRow({ valuation: '' }), fault: { code: 'DUPLICATE_KEY' } })
  t.equal(fields['submission_id']?.value, 'BP-0001')
  t.strictSame(blocking(reasons), ['DUPLICATE_KEY -', 'FIELD_MISSING project_valuation'])
})

test('hostile names are names', async t => {
  const names = ['__proto__', 'constructor', 'toString', '', '']
  const { extra, reasons } = mapPermit({
    ...permitRow(),
    names: [...permitRow().names, ...names],
    values: [...permitRow().values, ...names.map(() => 'x')]
  })
  t.strictSame(reasons, [])
  t.equal(JSON.stringify(extra), '{"8":"x","9":"x","__proto__":"x","constructor":"x","toString":"x"}')
  t.equal(Object.getPrototypeOf({}), Object.prototype)
})

test('a cell that a program wrapped as ="…", so that a spreadsheet leaves it alone, is the text inside', async t => {
  const { fields, reasons } = mapPermit(
    permitRow({ permit_number: '="00817"', issued_date: '="2024-02-06"', contractor_name: '=""' })
  )
  t.strictSame(blocking(reasons), [])
  t.match(fields['submission_id'], { value: '00817', raw: '="00817"', status: 'found' })
  t.match(fields['issued_date'], { value: '2024-02-06', raw: '="2024-02-06"' })
  t.equal(fields['contractor_name'], undefined)
  for (const other of ['=A1', '="a"&"b"', '="a', '==1']) {
    t.match(mapPermit(permitRow({ work_description: other })).fields['work_description'], { value: other })
  }
})

test('a fault of one cell names its column in the origin and in the sentence', async t => {
  const fault = { code: 'UNCLOSED_QUOTE', detail: 'opened on line 2, in column 3 “status”', column: 'status' } as const
  const { reasons } = mapPermit({ row: 1, line: 2, names: ['permit_number'], values: [], fault, source: 'x' })
  t.strictSame(reasons[0]?.origin, { row: 1, column: 'status', line: 2 })
  t.match(reasons[0]?.message, /\(opened on line 2, in column 3 “status”\)$/)
})

test('a row that slid by one column under a full width is held, whatever its cells could be', async t => {
  const names = ['permit_number', 'parcel_id', 'permit_type', 'applicant', 'valuation', 'fee']
  const read = (...values: string[]) => mapPermit({ row: 1, line: 2, names, values })
  t.strictSame(blocking(read('BP-1', '22-1', 'roof', 'Ida', '100.00', '5.00').reasons), [])
  const slid = read('22-1', 'roof', 'Ida', '200.00', '5.00', '')
  t.strictSame(blocking(slid.reasons), ['FIELD_INVALID parcel_id'])
  t.match(slid.fields['parcel_id'], { value: null, readings: ['roof'] })
  t.match(blocking(read('roof', 'Ida', '22-1', '', '5.00', '').reasons), [
    'FIELD_INVALID submission_id',
    'FIELD_INVALID parcel_id'
  ])
  t.strictSame(blocking(mapPermit(permitRow({ parcel_id: { json: '["roof"]' } })).reasons), ['FIELD_INVALID parcel_id'])
  t.equal(
    read('BP-１', 'Lot ٣', 'roof', 'Ida', '100.00', '').fields['submission_id']?.value,
    'BP-１',
    'digits of any script'
  )
})
