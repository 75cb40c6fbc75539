import { test } from 'tap'
import { fixture, formatOf, outline, rowsOf } from './read-all.ts'

const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'csv-cs01.csv': ['1 2 ok'],
  'csv-cs03.csv': ['1 2 ok', '2 3 ok', '3 4 ok'],
  'csv-cs05.csv': ['1 2 ok', '2 3 ok'],
  'csv-cs07.csv': ['1 2 ok', '2 3 ok'],
  'csv-cs09.csv': ['1 2 DUPLICATE_HEADER'],
  'csv-cs11.csv': ['1 2 ok', '2 3 COLUMN_COUNT_MISMATCH', '3 4 ok'],
  'csv-cs13.csv': ['1 2 ok', '2 3 UNCLOSED_QUOTE', '3 4 ok', '4 5 ok'],
  'csv-cs15.csv': ['1 2 ok', '2 3 ok', '3 4 ok'],
  'csv-cs19.csv': [],
  'csv-cs21.csv': ['1 2 ok', '2 5 ok'],
  'json-js01.json': ['1 2 DUPLICATE_KEY', '2 3 ok'],
  'json-js03.ndjson': ['1 2 ok', '2 4 ok', '3 6 ok'],
  'json-js05.json': ['1 1 JSON_TOO_DEEP'],
  'json-js07.ndjson': ['1 1 ok', '2 2 JSON_INVALID', '3 3 JSON_INVALID', '4 4 ok'],
  'json-js09.json': ['1 1 ok'],
  'date-money-dm01.csv': ['1 2 ok', '2 3 ok', '3 4 ok'],
  'date-money-dm07.ndjson': ['1 1 ok', '2 2 ok', '3 3 ok', '4 4 ok'],
  'date-money-dm09.csv': ['1 2 ok', '2 3 ok', '3 4 ok', '4 5 ok', '5 6 ok', '6 7 ok', '7 8 ok']
}

for (const [name, expected] of Object.entries(EXPECTED)) {
  test(name, async t => t.strictSame(outline(await rowsOf(fixture(name))), expected))
}

test('a byte order mark is no part of the first column', async t => {
  const [row] = await rowsOf(fixture('csv-cs01.csv'))
  t.equal(row?.names[0], 'permit_number')
  t.equal(row?.values[0], 'BP-0001')
})

test('semicolons with decimal commas: no cell is cut at the comma', async t => {
  const rows = await rowsOf(fixture('csv-cs03.csv'))
  t.strictSame(
    rows.map(row => row.values.at(-1)),
    ['1.250,50', '980,00', '12.400,00']
  )
})

test('identifiers stay text to the last digit', async t => {
  const rows = await rowsOf(fixture('csv-cs07.csv'))
  t.strictSame(
    rows.map(row => row.values.slice(0, 2)),
    [
      ['860914e1', '417550918260034561'],
      ['860914e2', '417550918260034562']
    ]
  )
})

test('one bad byte far down holds its row, names its line and leaves the others as UTF-8', async t => {
  const rows = await rowsOf(fixture('csv-cs17.csv'))
  t.equal(rows.length, 65)
  const held = rows.filter(row => row.fault)
  t.strictSame(outline(held), ['61 62 ENCODING_INVALID'])
  t.equal(held[0]?.fault?.detail, 'on line 62, in column 5 “applicant”')
  t.equal(held[0]?.fault?.column, 'applicant')
  t.match(held[0]?.source, /Großer Weg,Ren\\xE9 Zak/)
  t.equal(rows[64]?.values[3], '65 Großer Weg')
})

test('line breaks inside cells are kept and counted', async t => {
  const rows = await rowsOf(fixture('csv-cs21.csv'))
  t.strictSame(rows[0]?.values.slice(3, 5), ['46 Elm St\nRear unit', 'Yara\r\nZell'])
  t.strictSame(formatOf(fixture('csv-cs21.csv')).dataLine, 2)
})

test('an unclosed quote names its line and its row keeps its source', async t => {
  const [, held] = await rowsOf(fixture('csv-cs13.csv'))
  t.equal(held?.fault?.detail, 'opened on line 3, in column 4 “address”')
  t.match(held?.source, /^BP-0022,.*6100\.00$/)
})
