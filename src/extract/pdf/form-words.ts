import type { Box, Word } from '../../model/document-text.ts'
import { imageOf, toMatrix } from './geometry.ts'
import type { PdfPage } from './pdfjs.ts'

const HIDDEN_FLAGS = 2 | 32
const DEFAULT_SIZE = 10
const MAX_VALUE = 20_000

type Annotation = Readonly<Record<string, unknown>>

/**
 * The values typed into a page's form fields, placed in their boxes, and free text notes. A ticked box is
 * the word `☒`, an empty one `☐`. Hidden fields and passwords are left out.
 */
export async function formWords(page: PdfPage): Promise<Word[]> {
  const viewport = page.getViewport({ scale: 1 })
  const matrix = toMatrix(viewport.transform)
  if (!matrix) return []
  const words: Word[] = []
  const annotations: Annotation[] = await page.getAnnotations({ intent: 'display' })
  for (const annotation of annotations) {
    const corners = annotation['rect']
    const flags = Number(annotation['annotationFlags'] ?? 0)
    if (!Array.isArray(corners) || corners.length !== 4 || (flags & HIDDEN_FLAGS) !== 0) continue
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
    words.push(...spread(found, box, (place.bottom - place.top) * 0.8))
  }
  return words
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
  const contents = annotation['contentsObj'] as { str?: unknown } | undefined
  return typeof contents?.str === 'string' ? contents.str : ''
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

/** Places words evenly over their box: the form does not say where its reader draws each letter. */
function spread(found: Found, box: Box, height: number): Word[] {
  const rows = found.text.split(/\r\n|\r|\n/).filter(row => row.trim() !== '')
  const words: Word[] = []
  for (const [index, row] of rows.entries()) {
    const text = clean(row)
    const top = box[1] + ((box[3] - box[1]) * index) / rows.length
    const bottom = box[1] + ((box[3] - box[1]) * (index + 1)) / rows.length
    const perLetter = (box[2] - box[0]) / Math.max(text.length, 1)
    for (const match of text.matchAll(/\S+/g)) {
      const start = box[0] + match.index * perLetter
      words.push({
        text: match[0],
        box: [clamp(start), clamp(top), clamp(start + match[0].length * perLetter), clamp(bottom)],
        size: Math.round(Math.min(DEFAULT_SIZE, Math.max(1, height)) * 10) / 10,
        bold: false,
        source: found.source,
        confidence: 1
      })
    }
  }
  return words
}

function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  return text.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, ' ')
}

function clamp(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 100_000) / 100_000
}
