import { test } from 'tap'
import { blocking, mapPermit, permitRow } from '../rows.ts'

const read = (column: string, cell: string, field: string) => {
  const { fields, reasons } = mapPermit(permitRow({ [column]: cell }))
  return { envelope: fields[field], reasons }
}

test('what stands for no date is no date, and is told from a blank', async t => {
  const placeholders: [string, string, string][] = [
    ['N/A', 'not_applicable', 'EXPLICIT_NONE'],
    ['none', 'not_applicable', 'EXPLICIT_NONE'],
    ['-', 'absent', 'PLACEHOLDER'],
    ['TBD', 'absent', 'PLACEHOLDER'],
    ['\\N', 'absent', 'PLACEHOLDER'],
    ['(null)', 'absent', 'PLACEHOLDER'],
    ['NaT', 'absent', 'PLACEHOLDER'],
    ['0000-00-00', 'absent', 'SENTINEL_DATE'],
    ['00/00/0000', 'absent', 'SENTINEL_DATE'],
    ['1900-01-01', 'absent', 'SENTINEL_DATE'],
    ['1/0/1900', 'absent', 'SENTINEL_DATE'],
    ['00.01.1900', 'absent', 'SENTINEL_DATE'],
    ['1899-12-30', 'absent', 'SENTINEL_DATE'],
    ['12/31/1899', 'absent', 'SENTINEL_DATE'],
    ['1753-01-01T00:00:00', 'absent', 'SENTINEL_DATE'],
    ['9999-12-31', 'absent', 'SENTINEL_DATE'],
    ['31.12.9999', 'absent', 'SENTINEL_DATE']
  ]
  for (const [cell, status, flag] of placeholders) {
    const { envelope, reasons } = read('issued_date', cell, 'issued_date')
    t.match(envelope, { value: null, raw: cell, status, flags: [flag] }, cell)
    t.strictSame(blocking(reasons), [], cell)
  }
  t.equal(read('issued_date', '', 'issued_date').envelope, undefined, 'a blank says nothing at all')
})

test('dates and words near them are not', async t => {
  const found: [string, string][] = [
    ['1900-01-02', '1900-01-02'],
    ['1899-12-29', '1899-12-29'],
    ['1753-01-02', '1753-01-02'],
    ['9998-12-31', '9998-12-31']
  ]
  for (const [cell, value] of found)
    t.match(read('issued_date', cell, 'issued_date').envelope, { value, status: 'found' })
  for (const cell of ['1/0/2024', '0/1/2024', '2/0/1900', '0', 'pending', 'not issued']) {
    t.strictSame(blocking(read('issued_date', cell, 'issued_date').reasons), ['INVALID_DATE issued_date'], cell)
  }
})

test('what stands for no amount is no amount; zero is one', async t => {
  for (const cell of ['N/A', '-', 'TBD', 'NaN', '\\N', '#VALUE!', '(blank)']) {
    const { envelope, reasons } = read('valuation', cell, 'project_valuation')
    t.match(envelope, { value: null, raw: cell }, cell)
    const code = cell === 'N/A' ? 'FIELD_MISSING' : 'PLACEHOLDER'
    t.strictSame(blocking(reasons), [`${code} project_valuation`], cell)
  }
  t.match(read('valuation', '0', 'project_valuation').envelope, { value: '0.00', status: 'found' })
  // In an accountant's format it is zero, elsewhere nothing: a person decides.
  t.strictSame(blocking(read('valuation', '$ -', 'project_valuation').reasons), ['INVALID_NUMBER project_valuation'])
})

test('names that look like a placeholder of numbers stay names', async t => {
  for (const cell of ['Nan', 'Nat', 'Nan Ting']) {
    t.match(read('applicant', cell, 'applicant_name').envelope, { value: cell, status: 'found' })
  }
})
