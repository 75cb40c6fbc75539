import type { Paragraph } from '../../model/document-text.ts'

const HEADING = /^(#{1,6})[ \t]+(\S.*)$/
const RULE = /^[-*_=]{3,}$/
const TABLE_RULE = /^[|:\- \t]+$/
const LIST_MARK = /^(?:[-*+]|\d{1,4}[.)])[ \t]+/
const QUOTE_MARK = /^(?:>[ \t]?)+/
const FENCE = /^(?:```|~~~)/

/** Paragraphs of Markdown: headings, table cells, and lines without their marks. */
export function markdownParagraphs(lines: readonly string[]): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let table = -1
  let row = 0
  let inTable = false
  for (const source of lines) {
    const line = source.trim()
    if (!isTableRow(line)) inTable = false
    if (line === '' || RULE.test(line) || FENCE.test(line)) continue
    if (!isTableRow(line)) {
      paragraphs.push(paragraphOf(line, paragraphs.length + 1))
      continue
    }
    if (TABLE_RULE.test(line)) continue
    if (!inTable) {
      table += 1
      row = 0
      inTable = true
    }
    for (const [column, cell] of cellsOf(line).entries()) {
      const text = plain(cell)
      if (text === '') continue
      const place = { table, row, column, rowSpan: 1, columnSpan: 1 }
      paragraphs.push({ index: paragraphs.length + 1, text, bold: isBold(cell), heading: 0, cell: place })
    }
    row += 1
  }
  return paragraphs
}

function isTableRow(line: string): boolean {
  return line.startsWith('|') && line.indexOf('|', 1) > 0
}

function cellsOf(line: string): string[] {
  const inner = line.endsWith('|') ? line.slice(1, -1) : line.slice(1)
  return inner.split(/(?<!\\)\|/).map(cell => cell.trim())
}

function paragraphOf(line: string, index: number): Paragraph {
  const heading = HEADING.exec(line)
  if (heading) {
    const text = plain((heading[2] ?? '').replace(/(?<!#)#+$/, ''))
    return { index, text, bold: true, heading: heading[1]?.length ?? 1 }
  }
  const body = line.replace(QUOTE_MARK, '').replace(LIST_MARK, '')
  return { index, text: plain(body), bold: isBold(body), heading: 0 }
}

function isBold(text: string): boolean {
  return text.length > 4 && /^(?:\*\*|__)/.test(text) && /(?:\*\*|__)$/.test(text)
}

/** Text without emphasis, code and link marks; escapes undone. Underscores inside words and blanks stay. */
function plain(text: string): string {
  return text
    .replace(/!?\[([^\][]{0,500})\]\([^()]{0,500}\)/g, '$1')
    .replace(/(?<!\\)\*{1,3}/g, '')
    .replace(/(?<![\w_\\])__?(?=[^_\s])|(?<=[^_\s])__?(?![\w_])/g, '')
    .replace(/(?<!\\)`/g, '')
    .replace(/<br ?\/?>/gi, ' ')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim()
}
