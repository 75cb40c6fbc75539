import { zipOf } from './zip.ts'

/** What a document is made of, in order. */
export type Block =
  | { readonly heading: string }
  | { readonly paragraph: string }
  | { readonly table: readonly (readonly string[])[] }

const NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const CONTENT_TYPES = `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`

const RELATIONS = `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`

/** A Word document of the blocks: the three parts that every reader asks for and nothing else. */
export function docxOf(blocks: readonly Block[]): Buffer {
  const body = blocks.map(blockXml).join('')
  const page = '<w:sectPr><w:pgSz w:w="12240" w:h="15840"/></w:sectPr>'
  const text = `${HEAD}<w:document xmlns:w="${NAMESPACE}"><w:body>${body}${page}</w:body></w:document>`
  return zipOf([
    ['[Content_Types].xml', Buffer.from(CONTENT_TYPES)],
    ['_rels/.rels', Buffer.from(RELATIONS)],
    ['word/document.xml', Buffer.from(text)]
  ])
}

function blockXml(block: Block): string {
  if ('heading' in block) return paragraphXml(block.heading, '<w:rPr><w:b/><w:sz w:val="28"/></w:rPr>')
  if ('paragraph' in block) return paragraphXml(block.paragraph, '')
  const columns = block.table[0]?.length ?? 0
  const grid = '<w:gridCol w:w="4680"/>'.repeat(columns)
  const rows = block.table.map(row => `<w:tr>${row.map(cellXml).join('')}</w:tr>`).join('')
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows}</w:tbl>`
}

function cellXml(text: string): string {
  return `<w:tc><w:tcPr><w:tcW w:w="4680" w:type="dxa"/></w:tcPr>${paragraphXml(text, '')}</w:tc>`
}

function paragraphXml(text: string, properties: string): string {
  return `<w:p><w:r>${properties}<w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
