import t from 'tap'
import { readBody } from '../../../src/extract/docx/body.ts'
import { numberingOf } from '../../../src/extract/docx/numbering.ts'
import { readRelations } from '../../../src/extract/docx/relations.ts'
import { readStyles } from '../../../src/extract/docx/styles.ts'
import { readXml } from '../../../src/extract/docx/xml.ts'
import type { Paragraph } from '../../../src/model/document-text.ts'

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

function read(content: string, nodes = 1000): { paragraphs: Paragraph[]; texts: string[]; flags: Set<string> } {
  const styles = readStyles(
    Buffer.from(
      `<w:styles ${WORD}><w:style w:styleId="H2"><w:name w:val="heading 2"/><w:rPr><w:b/></w:rPr></w:style>` +
        '<w:style w:styleId="Mine"><w:basedOn w:val="H2"/></w:style></w:styles>'
    )
  )
  const paragraphs: Paragraph[] = []
  const flags = new Set<string>()
  const source = Buffer.from(`<w:document ${WORD}><w:body>${content}</w:body></w:document>`)
  readBody(source, {
    styles,
    flags,
    paragraphs,
    budget: { nodes, characters: 1000 },
    numbering: numberingOf(undefined)
  })
  return { paragraphs, texts: paragraphs.map(paragraph => paragraph.text), flags }
}

const run = (text: string, properties = ''): string => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
const paragraph = (...runs: string[]): string => `<w:p>${runs.join('')}</w:p>`
const cell = (text: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(run(text))}</w:tc>`

t.test('headings and bold come from styles and runs', t => {
  const { paragraphs } = read(
    `<w:p><w:pPr><w:pStyle w:val="Mine"/></w:pPr>${run('Title')}</w:p>` +
      paragraph(run('Rent: ', '<w:b/>'), run('a long value that is not bold', '<w:b w:val="0"/>'))
  )
  t.match(paragraphs[0], { text: 'Title', heading: 2, bold: true })
  t.match(paragraphs[1], { heading: 0, bold: false })
  t.end()
})

t.test('breaks, tabs and hyphens are text; tab stops are not', t => {
  const { texts } = read(
    '<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>' +
      '<w:r><w:t>Tenant</w:t><w:tab/><w:t>Ann</w:t><w:br/><w:t>post</w:t><w:noBreakHyphen/><w:t>box</w:t></w:r></w:p>'
  )
  t.strictSame(texts, ['Tenant\tAnn\npost-box'])
  t.end()
})

t.test('hidden text, placeholders, field codes and moved-away text are not shown', t => {
  const { texts, flags } = read(
    paragraph(run('seen'), run('unseen', '<w:vanish/>')) +
      `<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${paragraph(run('Click here'))}</w:sdtContent></w:sdt>` +
      '<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom></w:p>'
  )
  t.strictSame(texts, ['seen'])
  t.strictSame([...flags].toSorted(), ['HIDDEN_TEXT', 'TRACKED_CHANGES'])
  t.end()
})

t.test('form fields of the old kind show their state', t => {
  const box = (checked: string): string =>
    `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/>${checked}</w:checkBox></w:ffData></w:fldChar></w:r>`
  const list =
    '<w:r><w:fldChar><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="month"/><w:listEntry w:val="year"/></w:ddList></w:ffData></w:fldChar></w:r>'
  const { texts } = read(
    paragraph(box('<w:checked/>'), run(' yes ')) + paragraph(box(''), run(' no ')) + paragraph(list)
  )
  t.strictSame(texts, ['☒ yes', '☐ no', 'year'])
  t.end()
})

t.test('cells merged downwards count once, also beside wide cells and in nested tables', t => {
  const merged = '<w:vMerge w:val="restart"/>'
  const { paragraphs, texts } = read(
    `<w:tbl><w:tr>${cell('a', '<w:gridSpan w:val="2"/>')}${cell('b', merged)}</w:tr>` +
      `<w:tr>${cell('c')}${cell('d')}${cell('shown above', '<w:vMerge/>')}</w:tr>` +
      `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr><w:tc><w:tbl><w:tr>${cell('inner')}</w:tr></w:tbl>${paragraph(run('e'))}</w:tc></w:tr></w:tbl>`
  )
  t.strictSame(texts, ['a', 'b', 'c', 'd', 'inner', 'e'])
  t.match(paragraphs[1]?.cell, { column: 2, rowSpan: 2 })
  t.match(paragraphs[3]?.cell, { row: 1, column: 1 })
  t.match(paragraphs[4]?.cell, { table: 1, row: 0, column: 0 })
  t.match(paragraphs[5]?.cell, { table: 0, row: 2, column: 1 })
  t.end()
})

t.test('too many elements and absurd XML are given up', t => {
  t.throws(() => read(paragraph(run('x')).repeat(500)), /more content/)
  const handler = { open() {}, close() {} }
  const refuse = (xml: string): void => readXml(Buffer.from(xml), handler)
  t.throws(() => refuse('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), /document type/)
  t.throws(() => refuse(`${'<a>'.repeat(2000)}${'</a>'.repeat(2000)}`), /nested/)
  t.throws(() => refuse('<a>'), /well-formed/)
  t.throws(() => refuse('<a>\ufffe</a>'), /well-formed/)
  t.end()
})

t.test('targets outside the file are never named', t => {
  const source = Buffer.from(
    '<Relationships><Relationship Type="x/image" Target="http://example.test/a.png" TargetMode="External"/>' +
      '<Relationship Type="x/header" Target="../word/header1.xml"/><Relationship Type="x/styles" Target="/a/b.xml"/></Relationships>'
  )
  t.strictSame(readRelations(source, 'word/'), [
    { id: '', kind: 'header', target: 'word/header1.xml' },
    { id: '', kind: 'styles', target: 'a/b.xml' }
  ])
  t.end()
})
