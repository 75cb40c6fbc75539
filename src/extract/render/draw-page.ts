import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ExtractFailure } from '../answer.ts'
import { readDocument } from '../child/read-document.ts'
import { imageAsPdf, isImage } from '../image/image-as-pdf.ts'
import { readTurn } from '../pdf/read-turn.ts'
import type { DrawnPage, PageHead } from './drawn-page.ts'
import { type PageSize, pixelsOf } from './page-size.ts'
import { loadPdfium, openPdf, type Quarter } from './pdfium.ts'
import { readFont } from './plain/font.ts'
import { type Fonts, layOut, SHEET } from './plain/lay-out.ts'
import { writeSheet } from './plain/write-sheet.ts'
import { encodePng } from './png.ts'

/** One page of a document, counted from 1, and how large it is wanted. */
export interface PageRequest {
  readonly mediaType: string
  readonly page: number
  readonly size: PageSize
  /** Most pages and characters of a document that has to be read to be drawn. */
  readonly pages: number
  readonly characters: number
}

/** Draws a page. Runs in a shut-in process only; what it throws is a limit of the process that was hit, or a defect. */
export async function drawPage(bytes: Buffer, request: PageRequest): Promise<DrawnPage | ExtractFailure> {
  if (bytes.length === 0) return { ok: false, reason: 'FILE_EMPTY' }
  if (request.mediaType === 'application/pdf') return drawPdf(bytes, request)
  if (!isImage(request.mediaType)) return drawPlain(bytes, request)
  const paged = imageAsPdf(bytes, request.mediaType, request.pages)
  return Buffer.isBuffer(paged) ? drawPdf(paged, request) : paged
}

async function drawPdf(bytes: Buffer, { page, size }: PageRequest): Promise<DrawnPage | ExtractFailure> {
  const pdf = openPdf(await loadPdfium(), bytes)
  if (typeof pdf === 'string') return { ok: false, reason: pdf }
  try {
    const { pageCount } = pdf
    if (page > pageCount) return { ok: true, pageCount, page: null, png: Buffer.alloc(0) }
    // What stands turned is read turned back, and drawn as it is read.
    const turn = ((4 - (await readTurn(bytes, page))) % 4) as Quarter
    const drawn = pdf.draw(page, turn, (width, height) => pixelsOf(width, height, size))
    if (!drawn) return { ok: false, reason: 'FILE_CORRUPT', detail: 'page_damaged' }
    const head: PageHead = { kind: 'drawn', ...drawn.points, paragraphs: [], starts: [] }
    return { ok: true, pageCount, page: head, png: encodePng(drawn) }
  } finally {
    pdf.close()
  }
}

/** A document without pages of its own: the words that were read of it, on sheets. */
async function drawPlain(bytes: Buffer, request: PageRequest): Promise<DrawnPage | ExtractFailure> {
  const { mediaType, page, size, pages, characters } = request
  const answer = await readDocument(bytes, mediaType, { pages, characters })
  if (!answer.ok) return answer
  const fonts = loadFonts()
  const { pageCount, texts, paragraphs, starts } = layOut(answer.document.paragraphs, fonts, page, pages)
  if (page > pageCount) return { ok: true, pageCount, page: null, png: Buffer.alloc(0) }
  const pdf = openPdf(await loadPdfium(), writeSheet(texts, fonts))
  if (typeof pdf === 'string') throw new Error('A sheet of our own making cannot be opened.')
  try {
    const drawn = pdf.draw(1, 0, (width, height) => pixelsOf(width, height, size))
    if (!drawn) throw new Error('A sheet of our own making cannot be drawn.')
    const head: PageHead = { kind: 'plain', ...SHEET, paragraphs, starts: Array.from(starts, start => start ?? null) }
    return { ok: true, pageCount, page: head, png: encodePng(drawn) }
  } finally {
    pdf.close()
  }
}

let fonts: Fonts | undefined

/** Fonts that come with pdfjs, for the scripts derived from Latin, Greek and Cyrillic. */
function loadFonts(): Fonts {
  const folder = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts')
  fonts ??= {
    regular: readFont(readFileSync(join(folder, 'LiberationSans-Regular.ttf'))),
    bold: readFont(readFileSync(join(folder, 'LiberationSans-Bold.ttf')))
  }
  return fonts
}
