import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { gridsOf } from '../../../src/extract/pdf/layout/grids.ts'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { documentTables } from '../../../src/model/tables/document-tables.ts'
import { PDF, testExtractor } from '../extractor-fixture.ts'
import { type RawPdf, rawPdf, show } from './raw-pdf.ts'

const extractor = testExtractor(t)

async function read(test: Test, file: RawPdf): Promise<DocumentText> {
  const path = join(test.testdir(), 'file.pdf')
  writeFileSync(path, Buffer.from(rawPdf(file), 'latin1'))
  const outcome = await extractor.extract(path, PDF)
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.document
}

const textsOf = (document: DocumentText): string[][][] =>
  documentTables(document).map(({ rows }) => rows.map(row => row.map(cell => cell.text)))

const TEXT =
  show(80, 688, 'Coverage') +
  show(280, 688, 'Limit') +
  show(80, 668, 'Personal property at') +
  show(80, 656, 'other residences') +
  show(280, 668, '$150,000')
const LINES = {
  'strokes of single lines':
    '70 700 m 470 700 l S 70 680 m 470 680 l S 70 650 m 470 650 l S 70 700 m 70 650 l S 270 700 m 270 650 l S 470 700 m 470 650 l S',
  'a stroked box for each cell': '70 680 200 20 re S 270 680 200 20 re S 70 650 200 30 re S 270 650 200 30 re S',
  'thin areas that are filled':
    '70 699.5 400 1 re f 70 679.5 400 1 re f 70 649.5 400 1 re f 69.5 650 1 50 re f 269.5 650 1 50 re f 469.5 650 1 50 re f'
}
const CELLS = [
  ['Coverage', 'Limit'],
  ['Personal property at other residences', '$150,000']
]

for (const [how, lines] of Object.entries(LINES)) {
  t.test(`a table is read that is drawn with ${how}`, async t => {
    const document = await read(t, { pages: [`${lines}\n${TEXT}`] })
    t.same(textsOf(document), [CELLS])
    const [grid] = document.pages[0]?.grids ?? []
    const near = (found: readonly number[] | undefined, wanted: readonly number[], whole: number): void => {
      t.equal(found?.length, wanted.length)
      for (const [at, edge] of wanted.entries()) t.ok(Math.abs((found?.[at] ?? 0) * whole - edge) < 1, `${edge}`)
    }
    near(grid?.columns, [70, 270, 470], 612)
    near(grid?.rows, [92, 112, 142], 792)
  })
}

t.test('of a page that is turned the tables are turned back with it', async t => {
  t.same(textsOf(await read(t, { pages: [`${LINES['strokes of single lines']}\n${TEXT}`], page: '/Rotate 90' })), [
    CELLS
  ])
})

t.test('a table goes on over pages, its headings printed again', async t => {
  const low = (text: string): string => `q 1 0 0 1 0 -600 cm ${text} Q`
  const next =
    show(80, 688, 'Coverage') + show(280, 688, 'Limit') + show(80, 668, 'Loss of use') + show(280, 668, '$9,000')
  const lines = LINES['strokes of single lines']
  const document = await read(t, { pages: [low(`${lines}\n${TEXT}`), `${lines}\n${next}`] })
  t.same(textsOf(document), [[...CELLS, ['Loss of use', '$9,000']]])
  t.same(documentTables(document)[0]?.pages, [1, 2])
})

t.test('lines nobody sees, underlines and single boxes make no table', async t => {
  const hidden = `q 0 0 20 20 re W n ${LINES['strokes of single lines']} Q`
  const underlines = '70 680 m 270 680 l S 70 650 m 270 650 l S'
  for (const lines of [hidden, underlines, '70 640 400 60 re S']) {
    t.same((await read(t, { pages: [`${lines}\n${TEXT}`] })).pages[0]?.grids, undefined)
  }
})

const SIZE = { width: 600, height: 800 }
const wall = (x: number, top: number, bottom: number) => ({ left: x, right: x, top, bottom })
const floor = (y: number, left: number, right: number) => ({ left, right, top: y, bottom: y })

t.test('cells without a line between them are one; sides that are not drawn end where the other lines do', t => {
  const walls = [wall(200, 100, 160), wall(300, 120, 160)]
  const floors = [floor(100, 100, 400), floor(120, 100, 400), floor(140, 200, 400), floor(160, 100, 400)]
  const [grid, ...others] = gridsOf({ walls, floors }, SIZE)
  t.same(others, [])
  t.same(
    grid?.columns.map(edge => Math.round(edge * 600)),
    [100, 200, 300, 400]
  )
  t.same(grid?.cells, [
    { row: 0, column: 0, rowSpan: 1, columnSpan: 1 },
    { row: 0, column: 1, rowSpan: 1, columnSpan: 2 },
    { row: 1, column: 0, rowSpan: 2, columnSpan: 1 },
    { row: 1, column: 1, rowSpan: 1, columnSpan: 1 },
    { row: 1, column: 2, rowSpan: 1, columnSpan: 1 },
    { row: 2, column: 1, rowSpan: 1, columnSpan: 1 },
    { row: 2, column: 2, rowSpan: 1, columnSpan: 1 }
  ])
  t.end()
})

t.test('a drawing of very many lines takes little time', t => {
  const walls = Array.from({ length: 20_000 }, (_, at) => wall((at * 7) % 600, 0, 800))
  const floors = Array.from({ length: 20_000 }, (_, at) => floor((at * 11) % 800, 0, 600))
  const scattered = Array.from({ length: 20_000 }, (_, at) =>
    wall((at * 7.01) % 600, (at * 13) % 790, ((at * 13) % 790) + 7)
  )
  const started = process.cpuUsage()
  gridsOf({ walls, floors }, SIZE)
  gridsOf({ walls: scattered, floors }, SIZE)
  const { user } = process.cpuUsage(started)
  t.ok(user < 3e6, `${user} µs`)
  t.end()
})
