import t from 'tap'
import { text as inline, type MadeWorkbook, row } from './make-workbook.ts'
import { rowsOf } from './unpack.ts'

const HEADER = row(1, ['permit_number', 'parcel_id', 'status', 'valuation'].map(inline))

const DATE_TIME = 22

/** A workbook of one data row whose cells are these. */
const oneRow = (cells: readonly string[], more: Partial<MadeWorkbook> = {}): MadeWorkbook => ({
  sheets: [{ name: 'Permits', rows: HEADER + row(2, cells) }],
  ...more
})

const FORMATS = [
  14,
  DATE_TIME,
  20,
  '00000',
  'yyyy\\-mm\\-dd;@',
  '[$-409]d\\-mmm\\-yy',
  '[h]:mm:ss',
  '#,##0.00',
  '"dy"0',
  '0.00%',
  '"€"#,##0.00',
  '[$CAD] #,##0.00',
  '#,##0.00\\ [$€-407]',
  '#,##0"k"',
  '#,##0,"k"',
  '[$$-409]#,##0.00',
  '000\\-000\\-000',
  '"BP-"0000',
  '#,##0" SF"',
  '0%',
  '00000-0000',
  '_($* #,##0.00_);_($* (#,##0.00)',
  '#,##0"€";"0 €"'
]

const VALUES: readonly [string, string, unknown][] = [
  ['a shared text', 't="s"|<v>1</v>', 'second'],
  ['runs of a shared text, phonetic ones left out', 't="s"|<v>2</v>', 'Ash Ave'],
  ['an inline text', inline(' two\nlines & <more> '), ' two\nlines & <more> '],
  ['the text a formula gives', 't="str"|<f>A1</f><v>00501</v>', '00501'],
  ['an empty text a formula gives', 't="str"|<f>""</f><v></v>', null],
  ['an escaped character', inline('a_x000D_b_x005F_x'), 'a\rb_x'],
  ['a whole number', '<v>17031</v>', { json: '17031' }],
  ['18 digits', '<v>123456789012345678</v>', { json: '123456789012345678' }],
  ['a decimal', '<v>1500.50</v>', { json: '1500.5' }],
  ['a fraction as spreadsheets write it', '<v>19.989999999999998</v>', { json: '19.99' }],
  ['another, negative', '<v>-1.1000000000000001</v>', { json: '-1.1' }],
  ['a small one', '<v>4.0000000000000001E-3</v>', { json: '0.004' }],
  ['a number in scientific notation', '<v>1.2345678901234499E+17</v>', { json: '1.2345678901234499E+17' }],
  ['a number not written as JSON would', '<v>007</v>', '007'],
  ['a number that a formula gives', '<f>1+1</f><v>2</v>', { json: '2' }],
  ['true', 't="b"|<v>1</v>', { json: 'true' }],
  ['false', 't="b"|<v>0</v>', { json: 'false' }],
  ['a day', 's="1"|<v>45356</v>', '2024-03-05'],
  ['a day and a time', 's="2"|<v>45356.572916666664</v>', '2024-03-05T13:45:00'],
  ['a time', 's="3"|<v>0.75</v>', '18:00:00'],
  ['zeros in front by the format', 's="4"|<v>501</v>', '00501'],
  ['a day by its own format', 's="5"|<v>1</v>', '1900-01-01'],
  ['a day in a locale', 's="6"|<v>59</v>', '1900-02-28'],
  ['the day behind the one that never was', 's="1"|<v>61</v>', '1900-03-01'],
  ['the last day', 's="1"|<v>2958465</v>', '9999-12-31'],
  ['hours that go beyond a day', 's="7"|<v>2.5</v>', { json: '2.5' }],
  ['an amount', 's="8"|<v>45356</v>', { json: '45356' }],
  ['letters of a date in quotes', 's="9"|<v>5</v>', { json: '5' }],
  ['a percentage', 's="10"|<v>0.05</v>', '5%'],
  ['a percentage as spreadsheets write it', 's="10"|<v>0.28999999999999998</v>', '29%'],
  ['a percentage above one', 's="20"|<v>1.5</v>', '150%'],
  ['another currency', 's="11"|<v>1500</v>', '€ 1500'],
  ['another by its code', 's="12"|<v>1500.5</v>', 'CAD 1500.5'],
  ['another behind the number', 's="13"|<v>1500</v>', '1500 €'],
  ['another for positive numbers only', 's="23"|<v>1500</v>', '1500 €'],
  ['thousands that are said', 's="14"|<v>15</v>', '15 k'],
  ['thousands that are only shown', 's="15"|<v>15000</v>', { json: '15000' }],
  ['dollars', 's="16"|<v>1500</v>', { json: '1500' }],
  ['dollars in columns', 's="22"|<v>1500</v>', { json: '1500' }],
  ['an identifier in a form', 's="17"|<v>12345678</v>', '012-345-678'],
  ['one with more digits than its form', 's="17"|<v>1234567890</v>', '1234-567-890'],
  ['one with letters before it', 's="18"|<v>12</v>', 'BP-0012'],
  ['a ZIP code in a form', 's="21"|<v>21180042</v>', '02118-0042'],
  ['a number with its unit', 's="19"|<v>2000</v>', { json: '2000' }],
  ['a whole number as programs write it', '<v>1.23456789012E11</v>', { json: '123456789012' }],
  ['another', '<v>22118.0</v>', { json: '22118' }],
  ['a negative one', '<v>-1.5E+03</v>', { json: '-1500' }],
  ['a tiny one', '<v>1.2E-05</v>', { json: '0.000012' }],
  ['more digits than are shown', '<v>1.5E+16</v>', { json: '1.5E+16' }],
  ['an ISO date', 't="d"|<v>2024-03-05</v>', '2024-03-05'],
  ['a styled blank', 's="1"|', null]
]

/** Cells that the sheet itself knows to be dates. */
const isDated = (name: string): boolean => /^(?:a|the|the last) day\b|^an ISO date/.test(name)

for (const [name, cell, value] of VALUES) {
  t.test(`cell: ${name}`, async t => {
    const shared = ['<t>first</t>', '<t>second</t>', '<r><t>Ash </t></r><r><rPr/><t>Ave</t></r><rPh><t>no</t></rPh>']
    const rows = await rowsOf(t, oneRow([inline('P-1'), cell, inline('open')], { shared, formats: FORMATS }))
    t.strictSame(rows, [
      {
        row: 1,
        line: 2,
        names: ['permit_number', 'parcel_id', 'status', 'valuation'],
        values: ['P-1', value, 'open', null],
        ...(isDated(name) ? { dated: [1] } : {})
      }
    ])
  })
}

t.test('a workbook that counts days from 1904', async t => {
  const file = oneRow(['s="1"|<v>0</v>', 's="1"|<v>43894</v>', 's="1"|<v>60</v>'], { formats: [14], is1904: true })
  t.same((await rowsOf(t, file))[0]?.values, ['1904-01-01', '2024-03-05', '1904-03-01', null])
})

const HELD: readonly [string, string, string, string][] = [
  ['an error', 't="e"|<v>#N/A</v>', 'CELL_ERROR', 'an error of the spreadsheet in cell B2'],
  ['an error a formula gives', 't="e"|<f>A1/0</f><v>#DIV/0!</v>', 'CELL_ERROR', 'an error of the spreadsheet in cell B2'],
  ['a formula without its value', '<f>A1*2</f>', 'FORMULA_NOT_CALCULATED', 'a formula without its value in cell B2'],
  ['a formula with an empty value', '<f>A1*2</f><v/>', 'FORMULA_NOT_CALCULATED', 'a formula without its value in cell B2'],
  ['1900-02-29', 's="1"|<v>60</v>', 'INVALID_DATE', 'a date that does not exist in cell B2'],
  ['1900-01-00', 's="1"|<v>0</v>', 'INVALID_DATE', 'a date that does not exist in cell B2'],
  ['a day before all days', 's="1"|<v>-5</v>', 'INVALID_DATE', 'a date that does not exist in cell B2'],
  ['a day behind all days', 's="1"|<v>2958466</v>', 'INVALID_DATE', 'a date that does not exist in cell B2'],
  ['NUL', inline('a_x0000_'), 'TEXT_NOT_STORABLE', 'a character that cannot be stored in cell B2'],
  ['half a character', inline('a_xD800_'), 'TEXT_NOT_STORABLE', 'a character that cannot be stored in cell B2'],
  ['digits that a spreadsheet lost', '<v>1234567890123450000</v>', 'ID_NUMERIC_COERCED', 'a number of more than 15 digits that ends in zeros in cell B2']
] // biome-ignore format: a table

for (const [name, cell, code, detail] of HELD) {
  t.test(`held: ${name}`, async t => {
    const rows = await rowsOf(t, oneRow([inline('P-1'), cell, inline('open')], { formats: [14] }))
    t.match(rows, [{ row: 1, line: 2, fault: { code, detail } }])
    t.equal(rows[0]?.values[0], 'P-1', 'the other cells are kept')
  })
}
