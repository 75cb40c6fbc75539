import { z } from 'zod'
import type { DocumentText, Grid, Line, Page, Word } from '../model/document-text.ts'
import { REASONS, type ReasonCode } from '../model/reasons.ts'
import type { ChildAnswer, ExtractFailure } from './answer.ts'
import { lineOfWords } from './line-of-words.ts'

/**
 * The answer of an extraction process as text. Words are columns of texts and whole numbers: a third of
 * the size of objects, and quicker to check. The reader of a hostile document may have been taken over,
 * so every answer is checked in full before it is used.
 */
const PER_WORD = 7
const SCALE = 100_000
const SOURCES = ['text', 'form', 'note', 'ocr'] as const
const isReason = (value: unknown): value is ReasonCode => typeof value === 'string' && Object.hasOwn(REASONS, value)

const text = z
  .string()
  .max(1_000_000)
  .refine(value => !value.includes('\0') && value.isWellFormed())
const count = z.int().min(0).max(10_000_000)
const share = z.number().min(0).max(1)
const points = z.number().positive().max(1_000_000)

/** Edges × 100,000; row, column, rows and columns of each cell. */
const gridSchema = z.strictObject({ columns: z.array(count), rows: z.array(count), cells: z.array(count) })
const PER_CELL = 4

const pageSchema = z.strictObject({
  number: z.int().positive().max(1_000_000),
  width: points,
  height: points,
  usable: z.boolean(),
  images: share,
  turned: z.literal([1, 2, 3]).exactOptional(),
  words: z.array(text),
  // x0, y0, x1, y1 × 100,000; size × 10; bold + 2 × source; confidence × 1,000
  numbers: z.array(count),
  /** Words of each line. */
  lines: z.array(z.int().positive()),
  grids: z.array(gridSchema).exactOptional()
})

const paragraphSchema = z.strictObject({
  index: z.int().positive(),
  text,
  bold: z.boolean(),
  heading: z.int().min(0).max(9),
  cell: z
    .strictObject({
      table: count,
      row: count,
      column: count,
      rowSpan: z.int().positive(),
      columnSpan: z.int().positive()
    })
    .exactOptional()
})

const answerSchema = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    kind: z.enum(['paged', 'flow']),
    pages: z.array(pageSchema),
    paragraphs: z.array(paragraphSchema),
    flags: z.array(z.string().regex(/^[A-Z_]{1,40}$/)).max(50),
    pageCount: count
  }),
  z.strictObject({
    ok: z.literal(false),
    reason: z.custom<ReasonCode>(isReason),
    detail: z
      .string()
      .regex(/^[a-z_]{1,40}$/)
      .exactOptional()
  })
])

type WirePage = z.infer<typeof pageSchema>

/** What the extraction process sends. */
export function encodeAnswer(answer: ChildAnswer): string {
  if (!answer.ok) return JSON.stringify(answer)
  const { kind, pages, paragraphs, flags, pageCount } = answer.document
  return JSON.stringify({ ok: true, kind, pages: pages.map(encodePage), paragraphs, flags, pageCount })
}

/** Longer than any failure, and shorter than what is worth reading only once. */
const MAX_FAILURE_BYTES = 500
/** What JSON begins with, and a picture does not. */
const BRACE = 0x7b

/** The failure that an answer tells, or undefined when it tells of a document. Throws when it is no answer. */
export function decodeFailure(body: Buffer): ExtractFailure | undefined {
  if (body.length > MAX_FAILURE_BYTES || body[0] !== BRACE) return undefined
  const answer = decodeAnswer(body)
  return answer.ok ? undefined : answer
}

/** Reads and checks an answer. Throws when it is anything but a well-formed one. */
export function decodeAnswer(body: Buffer): ChildAnswer {
  const answer = answerSchema.parse(JSON.parse(body.toString('utf8')))
  if (!answer.ok) return answer
  const { kind, paragraphs, flags, pageCount } = answer
  const document: DocumentText = { kind, pages: answer.pages.map(decodePage), paragraphs, flags, pageCount }
  return { ok: true, document }
}

function encodePage(page: Page): WirePage {
  const words: string[] = []
  const numbers: number[] = []
  for (const word of page.lines.flatMap(line => line.words)) {
    words.push(word.text)
    for (const edge of word.box) numbers.push(Math.round(edge * SCALE))
    const kind = (word.bold ? 1 : 0) + 2 * SOURCES.indexOf(word.source)
    numbers.push(Math.round(word.size * 10), kind, Math.round(word.confidence * 1000))
  }
  return {
    number: page.number,
    width: page.width,
    height: page.height,
    usable: page.hasUsableText,
    images: page.imageShare,
    ...(page.turned ? { turned: page.turned } : {}),
    words,
    numbers,
    lines: page.lines.map(line => line.words.length),
    ...(page.grids ? { grids: page.grids.map(encodeGrid) } : {})
  }
}

const scaled = (edge: number): number => Math.round(edge * SCALE)

const encodeGrid = ({ columns, rows, cells }: Grid): z.infer<typeof gridSchema> => ({
  columns: columns.map(scaled),
  rows: rows.map(scaled),
  cells: cells.flatMap(({ row, column, rowSpan, columnSpan }) => [row, column, rowSpan, columnSpan])
})

function decodeGrid({ columns, rows, cells }: z.infer<typeof gridSchema>): Grid {
  if (cells.length % PER_CELL !== 0) throw new RangeError('the counts of a table do not agree')
  return {
    columns: columns.map(edge => Math.min(1, edge / SCALE)),
    rows: rows.map(edge => Math.min(1, edge / SCALE)),
    cells: Array.from({ length: cells.length / PER_CELL }, (_, at) => {
      const [row = 0, column = 0, rowSpan = 1, columnSpan = 1] = cells.slice(at * PER_CELL, (at + 1) * PER_CELL)
      if (row + rowSpan >= rows.length || column + columnSpan >= columns.length || rowSpan * columnSpan === 0) {
        throw new RangeError('a cell lies outside of its table')
      }
      return { row, column, rowSpan, columnSpan }
    })
  }
}

function decodePage(page: WirePage): Page {
  const total = page.lines.reduce((sum, length) => sum + length, 0)
  if (total !== page.words.length || page.numbers.length !== total * PER_WORD) {
    throw new RangeError('the counts of a page do not agree')
  }
  const lines: Line[] = []
  let next = 0
  for (const length of page.lines) {
    const words: Word[] = []
    for (let index = next; index < next + length; index++) words.push(decodeWord(page, index))
    lines.push(lineOfWords(words))
    next += length
  }
  return {
    number: page.number,
    width: page.width,
    height: page.height,
    lines,
    hasUsableText: page.usable,
    imageShare: page.images,
    ...(page.turned ? { turned: page.turned } : {}),
    ...(page.grids ? { grids: page.grids.map(decodeGrid) } : {})
  }
}

function decodeWord(page: WirePage, index: number): Word {
  const at = (offset: number): number => page.numbers[index * PER_WORD + offset] ?? 0
  const kind = at(5)
  const edge = (offset: number): number => Math.min(1, at(offset) / SCALE)
  return {
    text: page.words[index] ?? '',
    box: [edge(0), edge(1), edge(2), edge(3)],
    size: at(4) / 10,
    bold: kind % 2 === 1,
    source: SOURCES[Math.floor(kind / 2)] ?? 'text',
    confidence: Math.min(1, at(6) / 1000)
  }
}
