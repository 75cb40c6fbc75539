import type { DocumentText, Page } from '../../model/document-text.ts'
import type { ChildAnswer, ReadLimits } from '../answer.ts'
import { readDocument } from '../child/read-document.ts'
import { imageAsPdf, isImage } from '../image/image-as-pdf.ts'
import { loadPdfium, type OpenPdf, openPdf } from '../render/pdfium.ts'
import type { OcrEngine } from './engine.ts'
import { type GreyImage, toGrey } from './image/grey.ts'
import { recognisePage } from './recognise-page.ts'
import { isUnread } from './unread-pages.ts'

export interface RecogniseLimits extends ReadLimits {
  /** Most pages that are recognised; those behind them stay unread. */
  readonly recognisedPages: number
  /** When the last page may be begun, by `now`. */
  readonly deadline: number
  readonly now: () => number
  /** Pages left as they are. */
  readonly skipped: ReadonlySet<number>
  /** Told each page before it is recognised. */
  readonly onPage: (page: number) => void
}

/** Dots an inch that pages are drawn at: more costs time and finds no more words (docs/ocr.md). */
const RESOLUTION = 200
/** Most pixels of the picture of a page; a larger page is drawn smaller. */
const MOST_PIXELS = 16_000_000
const POINTS_PER_INCH = 72

const PDF = 'application/pdf'

/**
 * Reads a document, and recognises those of its pages that have no text of their own. Runs in a shut-in process only; what
 * it throws is a limit of the process that was hit, or a defect.
 */
export async function recogniseDocument(
  engine: OcrEngine,
  { bytes, mediaType }: { readonly bytes: Buffer; readonly mediaType: string },
  limits: RecogniseLimits
): Promise<ChildAnswer> {
  if (bytes.length === 0) return { ok: false, reason: 'FILE_EMPTY' }
  const paged = isImage(mediaType) ? imageAsPdf(bytes, mediaType, limits.pages) : bytes
  if (!Buffer.isBuffer(paged)) return paged
  const answer = await readDocument(paged, isImage(mediaType) ? PDF : mediaType, limits)
  if (!answer.ok || answer.document.kind !== 'paged') return answer
  const pdf = openPdf(await loadPdfium(), paged)
  // What one program opens and the other does not stays as it was read.
  if (typeof pdf === 'string') return answer
  try {
    return { ok: true, document: await recognisePages(engine, pdf, { document: answer.document, limits }) }
  } finally {
    pdf.close()
  }
}

async function recognisePages(
  engine: OcrEngine,
  pdf: OpenPdf,
  { document, limits }: { readonly document: DocumentText; readonly limits: RecogniseLimits }
): Promise<DocumentText> {
  const flags = new Set(document.flags)
  const pages: Page[] = []
  let left = limits.recognisedPages
  for (const page of document.pages) {
    if (!isUnread(page)) {
      pages.push(page)
      continue
    }
    const isLeft = left > 0 && limits.now() < limits.deadline && !limits.skipped.has(page.number)
    if (isLeft) limits.onPage(page.number)
    const draw = isLeft ? drawerOf(pdf, page) : null
    if (!draw) {
      flags.add('PAGES_NOT_RECOGNISED')
      pages.push(page)
      continue
    }
    left -= 1
    const recognised = await recognisePage(engine, page, draw)
    flags.add('RECOGNISED')
    if (recognised.turned) flags.add('PAGE_TURNED')
    pages.push(recognised)
  }
  return { ...document, pages, flags: [...flags].toSorted() }
}

/** Draws a page at so many times its usual size; null for one that cannot be drawn. */
function drawerOf(pdf: OpenPdf, page: Page): ((times: number) => GreyImage) | null {
  const draw = (times: number) => pdf.draw(page.number, 0, (width, height) => pixelsOf(width, height, times))
  const usual = draw(1)
  if (!usual) return null
  const grey = toGrey(usual)
  return times => {
    const drawn = times === 1 ? null : draw(times)
    return drawn ? toGrey(drawn) : grey
  }
}

/** The pixels a page of so many points is drawn with; null for what is no page. */
function pixelsOf(width: number, height: number, times: number): { width: number; height: number } | null {
  const scale = times * Math.min(RESOLUTION / POINTS_PER_INCH, Math.sqrt(MOST_PIXELS / (width * height)))
  const pixels = { width: Math.round(width * scale), height: Math.round(height * scale) }
  return pixels.width > 0 && pixels.height > 0 ? pixels : null
}
