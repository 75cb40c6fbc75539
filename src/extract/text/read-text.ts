import type { Paragraph } from '../../model/document-text.ts'
import type { ChildAnswer, ReadLimits } from '../answer.ts'
import { ReadLimit } from '../read-limit.ts'
import { decodeText } from './decode-text.ts'
import { markdownParagraphs } from './markdown.ts'

/** Reads a plain text or Markdown file into paragraphs, one per line of text. */
export function readText(bytes: Buffer, mediaType: string, limits: ReadLimits): ChildAnswer {
  const text = decodeText(bytes)
  if (text.trim() === '') return { ok: false, reason: 'FILE_EMPTY' }
  if (text.length > limits.characters) throw new ReadLimit('limit_text', 'more text than is read from one document')
  const lines = text.split(/\r\n|\r|\n/)
  const paragraphs = mediaType === 'text/markdown' ? markdownParagraphs(lines) : plainParagraphs(lines)
  return { ok: true, document: { kind: 'flow', pages: [], paragraphs, flags: [], pageCount: 0 } }
}

function plainParagraphs(lines: readonly string[]): Paragraph[] {
  const paragraphs: Paragraph[] = []
  for (const line of lines) {
    // White space before the words stays: it is what puts a heading over its column.
    const text = line.trimEnd()
    if (text !== '') paragraphs.push({ index: paragraphs.length + 1, text, bold: false, heading: 0 })
  }
  return paragraphs
}
