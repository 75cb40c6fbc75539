import t from 'tap'
import type { DocumentText, Grid, Line, Page } from '../../../src/model/document-text.ts'
import { documentTables } from '../../../src/model/tables/document-tables.ts'
import type { Table } from '../../../src/model/tables/table.ts'
import { flow, paged, pageOf } from '../../profiles/find/documents.ts'

type Row = readonly (readonly [x: number, text: string])[]

/** Lines of a page: rows from `y` on, 0.02 apart. */
const print = (y: number, ...rows: readonly Row[]) =>
  rows.flatMap((row, at) => row.map(([x, text]) => ({ x, y: y + at * 0.02, text })))

/** A drawn table of plain cells. */
function gridOf(columns: readonly number[], rows: readonly number[]): Grid {
  const cells = rows
    .slice(1)
    .flatMap((_, row) => columns.slice(1).map((_edge, column) => ({ row, column, rowSpan: 1, columnSpan: 1 })))
  return { columns, rows, cells }
}

const textsOf = ({ rows }: Table): string[][] => rows.map(row => row.map(cell => cell.text))
const tablesOf = (...pages: readonly Page[]): readonly Table[] => documentTables(paged(...pages))

const COVERAGES = [
  [[0.1, 'Coverage'], [0.5, 'Limit'], [0.8, 'Premium']],
  [[0.1, 'Dwelling'], [0.5, '$300,000'], [0.8, '$900.00']],
  [[0.1, 'Contents'], [0.5, '$150,000'], [0.8, '$120.00']]
] as const // biome-ignore format: a table

t.test('a drawn table has rows of cells with their places; broken lines of a cell are one text', t => {
  const grid = gridOf([0.08, 0.45, 0.75, 0.95], [0.1, 0.14, 0.18, 0.24])
  const lines = [
    ...print(0.11, [[0.1, 'Coverage'], [0.5, 'Limit'], [0.8, 'Premium']]),
    ...print(0.15, [[0.1, 'Dwelling'], [0.5, '$300,000'], [0.8, '$900.00']]),
    ...print(0.19, [[0.1, 'Personal property'], [0.5, '$150,000'], [0.8, '$120.00']], [[0.1, 'at other residences']])
  ] // biome-ignore format: a table
  const [table, ...others] = tablesOf(
    pageOf([{ x: 0.1, y: 0.05, text: 'Declarations' }, ...lines], 1, { grids: [grid] })
  )
  t.same(others, [])
  t.match(table, { kind: 'ruled', columns: 3, headings: 1, pages: [1, 1] })
  t.same(table && textsOf(table), [
    ['Coverage', 'Limit', 'Premium'],
    ['Dwelling', '$300,000', '$900.00'],
    ['Personal property at other residences', '$150,000', '$120.00']
  ])
  const cell = table?.rows[2]?.[0]
  t.match(cell, { row: 2, column: 0, rowSpan: 1, columnSpan: 1, page: 1 })
  t.ok(cell?.box && cell.box[1] === 0.19 && Math.abs(cell.box[3] - 0.224) < 1e-9, 'around both of its lines')
  t.end()
})

t.test('rows that no line parts are told by their figures; cells reach over columns and rows', t => {
  const grid: Grid = {
    columns: [0.08, 0.3, 0.6, 0.95],
    rows: [0.1, 0.14, 0.3],
    cells: [
      { row: 0, column: 0, rowSpan: 2, columnSpan: 1 },
      { row: 0, column: 1, rowSpan: 1, columnSpan: 2 },
      { row: 1, column: 1, rowSpan: 1, columnSpan: 1 },
      { row: 1, column: 2, rowSpan: 1, columnSpan: 1 }
    ]
  }
  const lines = print(
    0.11,
    [[0.1, 'Section I'], [0.4, 'Property']],
    [],
    [[0.4, 'Dwelling'], [0.7, '$300,000']],
    [[0.4, 'Contents'], [0.7, '$150,000']]
  ) // biome-ignore format: a table
  const [table] = tablesOf(pageOf(lines, 1, { grids: [grid] }))
  t.same(table && textsOf(table), [
    ['Section I', 'Property'],
    ['Dwelling', '$300,000'],
    ['Contents', '$150,000']
  ])
  t.match(table?.rows[0], [{ rowSpan: 3 }, { columnSpan: 2 }])
  t.end()
})

t.test('a table goes on over a page break, the headings it repeats left out', t => {
  const [head, first, second] = COVERAGES
  const grid = gridOf([0.08, 0.45, 0.75, 0.95], [0.9, 0.92, 0.94])
  const again = gridOf([0.08, 0.45, 0.75, 0.95], [0.1, 0.12, 0.14])
  const footer = { x: 0.45, y: 0.97, text: 'Page 1 of 2' }
  const header = { x: 0.1, y: 0.04, text: 'Keystone Mutual' }
  const pages = [
    pageOf([...print(0.902, head, first), footer], 1, { grids: [grid] }),
    pageOf([header, ...print(0.102, head, second)], 2, { grids: [again] })
  ] as const
  const [table, ...others] = tablesOf(...pages)
  t.same(others, [])
  t.match(table, { headings: 1, pages: [1, 2] })
  t.same(
    table && textsOf(table),
    COVERAGES.map(row => row.map(([, text]) => text))
  )
  t.same(
    table?.rows.map(row => row[0]?.page),
    [1, 1, 2]
  )
  t.same(
    table?.rows.map(row => row[0]?.row),
    [0, 1, 2]
  )
  const between = Array.from({ length: 8 }, (_, at) => ({ x: 0.1, y: 0.02 + at * 0.01, text: 'Text between the two.' }))
  t.equal(
    tablesOf(pages[0], { ...pages[1], lines: pageOf([...between, ...print(0.102, head, second)]).lines }).length,
    2
  )
  t.end()
})

t.test('a table without lines is told by where its text stands', t => {
  const lines = print(0.2, ...COVERAGES, [
    [0.1, 'Personal liability'],
    [0.5, '$500,000'],
    [0.8, 'Included']
  ])
  const [table, ...others] = tablesOf(pageOf([...print(0.1, [[0.1, 'Your coverages are as follows.']]), ...lines]))
  t.same(others, [])
  t.match(table, { kind: 'aligned', columns: 3, headings: 1 })
  t.same(
    table?.rows.at(-1)?.map(cell => cell.text),
    ['Personal liability', '$500,000', 'Included']
  )
  t.end()
})

t.test('labels beside values, and columns of a text, are no tables', t => {
  const labels = print(
    0.2,
    [[0.1, 'Policy Number:'], [0.4, 'HX-700131']],
    [[0.1, 'Named Insured:'], [0.4, 'Pacific Reflections LLC']],
    [[0.1, 'Total Premium:'], [0.4, '$1,284.00']],
    [[0.1, 'Deductible:'], [0.4, '$500']]
  ) // biome-ignore format: a table
  t.same(tablesOf(pageOf(labels)), [])
  const prose = Array.from({ length: 8 }, (_, at) => [
    { x: 0.05, y: 0.2 + at * 0.02, text: 'the tenant shall pay all rent due under this lease' },
    { x: 0.55, y: 0.2 + at * 0.02, text: 'without notice or demand on the 1st of each month' }
  ]).flat()
  t.same(tablesOf(pageOf(prose)), [])
  t.end()
})

t.test('a flowing document gives the same from its marks', t => {
  const document: DocumentText = flow('Lease', [
    ['Lease year', 'Monthly rent'],
    ['1', '$2,000.00'],
    ['2', '$2,060.00']
  ])
  const [table, ...others] = documentTables(document)
  t.same(others, [])
  t.match(table, { kind: 'marked', columns: 2, headings: 1, pages: null })
  t.match(table?.rows[1], [
    { text: '1', paragraph: 4, page: null },
    { text: '$2,000.00', paragraph: 5 }
  ])
  t.equal(documentTables(document), documentTables(document), 'kept with the document')
  t.end()
})

t.test('pages made to take long do not', t => {
  const line = (x: number, y: number): Line => ({ text: '1', words: [], box: [x, y, x + 0.001, y + 0.001] })
  const many = Array.from({ length: 20_000 }, (_, at) => line((at % 150) / 150, Math.floor(at / 150) / 150))
  const edges = Array.from({ length: 70 }, (_, at) => at / 70)
  const started = process.cpuUsage()
  tablesOf({ ...pageOf([]), lines: many }, { ...pageOf([], 2, { grids: [gridOf(edges, edges)] }), lines: many })
  const { user } = process.cpuUsage(started)
  t.ok(user < 4e6, `${user} µs`)
  t.end()
})
