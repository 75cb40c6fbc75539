import t from 'tap'
import { DOCX, read, testExtractor } from '../extractor-fixture.ts'

const extractor = testExtractor(t)

async function texts(name: string): Promise<string[]> {
  return (await read(extractor, name, DOCX)).paragraphs.map(paragraph => paragraph.text)
}

t.test('pending changes: insertions are read, deletions are not, and the document says so', async t => {
  const document = await read(extractor, 'docx/dx01.docx', DOCX)
  t.strictSame(document.flags, ['TRACKED_CHANGES'])
  t.ok(document.paragraphs.some(paragraph => paragraph.text === 'Monthly Rent: $2,150.00'))
})

t.test('a text box is read once', async t => {
  const lines = await texts('docx/dx03.docx')
  t.equal(lines.filter(line => line === 'Tenant: Rosalind Achterberg').length, 1)
  t.equal(lines.filter(line => line.includes('Rosalind')).length, 1)
})

t.test('content controls keep their place in the table', async t => {
  const { paragraphs } = await read(extractor, 'docx/dx05.docx', DOCX)
  const cell = (row: number, column: number): string | undefined =>
    paragraphs.find(({ cell: place }) => place?.row === row && place.column === column)?.text
  t.equal(paragraphs[0]?.text, 'Landlord: Cobalt Yard LLC')
  t.equal(cell(0, 2), 'Monthly Rent')
  t.equal(cell(1, 2), '$2,275.00')
  t.equal(cell(1, 3), '$75.00')
})

t.test('merged cells are read once, with their spans', async t => {
  const { paragraphs } = await read(extractor, 'docx/dx07.docx', DOCX)
  const rent = paragraphs.filter(paragraph => paragraph.text.includes('Monthly Rent'))
  t.equal(rent.length, 1)
  t.match(rent[0]?.cell, { row: 3, column: 0, columnSpan: 3 })
  t.match(paragraphs.find(paragraph => paragraph.text === 'Term')?.cell, { rowSpan: 2, columnSpan: 1 })
})
