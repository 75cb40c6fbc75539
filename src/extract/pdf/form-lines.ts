import type { Box, Line, Word } from '../../model/document-text.ts'
import { lineOfWords } from '../line-of-words.ts'
import { imageOf, toMatrix } from './draw/geometry.ts'
import type { PdfPage } from './pdfjs.ts'

const HIDDEN_FLAGS = 2 | 32
const USUAL_SIZE = 10
// Width of an average letter as a share of the font size.
const LETTER_WIDTH = 0.5
const MAX_VALUE = 20_000

type Annotation = Readonly<Record<string, unknown>>

export interface FormLines {
  readonly lines: readonly Line[]
  /** Something was stamped on the page, such as `VOID`; stamps are drawings that are not read. */
  readonly hasStamp: boolean
}

/**
 * The values typed into a page's form fields, placed in their boxes, and free text notes, one line per row
 * of text. A ticked box is the word `☒`, an empty one `☐`. Hidden fields and passwords are left out.
 */
export async function readFormLines(page: PdfPage): Promise<FormLines> {
  const viewport = page.getViewport({ scale: 1 })
  const matrix = toMatrix(viewport.transform)
  if (!matrix) return { lines: [], hasStamp: false }
  const lines: Line[] = []
  let hasStamp = false
  const annotations: Annotation[] = await page.getAnnotations({ intent: 'display' })
  for (const annotation of annotations) {
    const corners = annotation['rect']
    const flags = Number(annotation['annotationFlags'] ?? 0)
    if (!Array.isArray(corners) || corners.length !== 4 || (flags & HIDDEN_FLAGS) !== 0) continue
    hasStamp ||= annotation['subtype'] === 'Stamp'
    const found = textOf(annotation)
    if (found === null) continue
    const [x0, y0, x1, y1] = corners.map(Number)
    const place = imageOf(matrix, [x0 ?? 0, y0 ?? 0, x1 ?? 0, y1 ?? 0])
    const box = [
      place.left / viewport.width,
      place.top / viewport.height,
      place.right / viewport.width,
      place.bottom / viewport.height
    ] as const
    lines.push(...linesOf(found, box, viewport))
  }
  return { lines, hasStamp }
}

interface Found {
  readonly text: string
  readonly source: 'form' | 'note'
}

function textOf(annotation: Annotation): Found | null {
  if (annotation['subtype'] === 'FreeText') return asFound(contentsOf(annotation), 'note')
  if (annotation['subtype'] !== 'Widget' || annotation['password'] === true) return null
  const value = annotation['fieldValue']
  if (annotation['fieldType'] === 'Btn') return asFound(tickOf(annotation, value), 'form')
  if (annotation['fieldType'] !== 'Tx' && annotation['fieldType'] !== 'Ch') return null
  const text = Array.isArray(value) ? value.map(chosen => shownChoice(annotation, chosen)).join('\n') : value
  return asFound(typeof text === 'string' ? text : '', 'form')
}

function asFound(text: string, source: 'form' | 'note'): Found | null {
  return text.trim() === '' ? null : { text: text.slice(0, MAX_VALUE), source }
}

function contentsOf(annotation: Annotation): string {
  const contents = annotation['contentsObj']
  if (typeof contents !== 'object' || contents === null || !('str' in contents)) return ''
  return typeof contents.str === 'string' ? contents.str : ''
}

/** A choice shows its display text, not the value it exports. */
function shownChoice(annotation: Annotation, chosen: unknown): string {
  const options = annotation['options']
  const option = Array.isArray(options)
    ? options.find((candidate: { exportValue?: unknown }) => candidate.exportValue === chosen)
    : undefined
  const shown = option?.displayValue ?? chosen
  return typeof shown === 'string' ? shown : ''
}

function tickOf(annotation: Annotation, value: unknown): string {
  if (annotation['checkBox'] === true) return typeof value === 'string' && value !== 'Off' && value !== '' ? '☒' : '☐'
  if (annotation['radioButton'] !== true) return ''
  return typeof value === 'string' && value === annotation['buttonValue'] ? '☒' : '☐'
}

/**
 * Places the words of a value in its box, as wide as such text usually is: the form does not say where its
 * reader draws each letter.
 */
function linesOf(found: Found, box: Box, page: { readonly width: number; readonly height: number }): Line[] {
  const rows = found.text
    .split(/\r\n|\r|\n/)
    .map(clean)
    .filter(row => row.trim() !== '')
  const rowHeight = (box[3] - box[1]) / rows.length
  const size = Math.round(Math.min(USUAL_SIZE, Math.max(4, rowHeight * page.height * 0.8)) * 10) / 10
  return rows.map((row, index) => {
    const perLetter = Math.min((box[2] - box[0]) / row.length, (LETTER_WIDTH * size) / page.width)
    const words = Array.from(row.matchAll(/\S+/g), (match): Word => {
      const start = box[0] + match.index * perLetter
      const top = box[1] + rowHeight * index
      return {
        text: match[0],
        box: [clamp(start), clamp(top), clamp(start + match[0].length * perLetter), clamp(top + rowHeight)],
        size,
        bold: false,
        source: found.source,
        confidence: 1
      }
    })
    return lineOfWords(words)
  })
}

function clean(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, ' ')
}

function clamp(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 100_000) / 100_000
}
