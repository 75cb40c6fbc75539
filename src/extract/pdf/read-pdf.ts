import type { Page } from '../../model/document-text.ts'
import type { ChildAnswer, ReadLimits } from '../answer.ts'
import { ReadLimit } from '../read-limit.ts'
import type { LayerTest } from './draw/drawing.ts'
import { interpretPage } from './draw/interpret-page.ts'
import { checkFile } from './file-checks.ts'
import { readFormLines } from './form-lines.ts'
import { checkUnpacking, watchUnpacking } from './inflate-at-once.ts'
import { readPageText } from './layout/page-text.ts'
import { loadPdfjs, openDocument, type PdfDocument, type Pdfjs } from './pdfjs.ts'
import { hasUnknownFilter, isTreeBroken } from './structure-checks.ts'
import { xfaPage } from './xfa-page.ts'

/**
 * Reads a PDF into pages of positioned text. What is wrong with the file is the answer's reason; anything
 * thrown is a limit of the process that was hit, or a defect of the reader.
 */
export async function readPdf(bytes: Buffer, limits: ReadLimits): Promise<ChildAnswer> {
  const checks = checkFile(bytes)
  const isCutOff = checks.truncated && !checks.hasTrailer
  if (hasUnknownFilter(bytes)) return { ok: false, reason: 'FILE_CORRUPT' }
  const pdfjs = await loadPdfjs()
  watchUnpacking()
  const task = openDocument(pdfjs, new Uint8Array(bytes))
  try {
    const document = await task.promise
    // A trailer that leads to no page is damage; without one the end is missing, and whatever would lead to the pages.
    if (isCutOff) return { ok: false, reason: 'FILE_TRUNCATED' }
    if (document.numPages > limits.pages) return { ok: false, reason: 'PAGE_LIMIT' }
    const flags = new Set<string>(checks.xrefMisplaced ? ['XREF_REBUILT'] : [])
    if (!document.isPureXfa && isTreeBroken(bytes, document.numPages)) flags.add('PAGE_DAMAGED')
    const { pages, bare } = await readPages(pdfjs, document, { flags, limits })
    if (pages.length === 0 || (checks.rebuilt && bare === pages.length)) return { ok: false, reason: 'FILE_CORRUPT' }
    if (checks.truncated) return { ok: false, reason: 'FILE_TRUNCATED' }
    if (document.isPureXfa) flags.add('XFA_FORM')
    if (await document.getAttachments()) flags.add('EMBEDDED_FILES')
    return {
      ok: true,
      document: { kind: 'paged', pages, paragraphs: [], flags: [...flags].toSorted(), pageCount: pages.length }
    }
  } catch (error) {
    const reason = reasonOf(error)
    if (!reason) throw error
    return { ok: false, reason: isCutOff && reason === 'FILE_CORRUPT' ? 'FILE_TRUNCATED' : reason }
  } finally {
    await task.destroy()
  }
}

interface ReadPages {
  readonly pages: Page[]
  /** How many of them have nothing on them. */
  readonly bare: number
}

interface Reading {
  readonly flags: Set<string>
  readonly limits: ReadLimits
}

/**
 * Reads page by page. A page that is damaged, or that the file only claims to have, is told by a flag; the
 * pages that can be read are still read, so that a clerk sees them.
 */
async function readPages(pdfjs: Pdfjs, document: PdfDocument, { flags, limits }: Reading): Promise<ReadPages> {
  const isShown = await layerTest(document)
  const pages: Page[] = []
  let characters = 0
  let bare = 0
  for (let number = 1; number <= document.numPages; number++) {
    const read = await readPage(pdfjs, document, { number, isShown })
    if (!read) {
      flags.add('PAGE_DAMAGED')
      continue
    }
    for (const flag of read.flags) flags.add(flag)
    if (read.isBare) bare += 1
    characters += read.page.lines.reduce((sum, line) => sum + line.text.length, 0)
    if (characters > limits.characters) throw new ReadLimit('limit_text', 'more text than is read from one document')
    pages.push(read.page)
  }
  return { pages, bare }
}

interface PageRequest {
  readonly number: number
  readonly isShown: LayerTest
}

async function readPage(
  pdfjs: Pdfjs,
  document: PdfDocument,
  { number, isShown }: PageRequest
): Promise<ReturnType<typeof readPageText> | null> {
  try {
    const page = await document.getPage(number)
    if (document.isPureXfa) {
      const read = xfaPage(number, await page.getXfa(), page.getViewport({ scale: 1 }))
      return { page: read, flags: new Set(), isBare: read.lines.length === 0 }
    }
    const content = await interpretPage(pdfjs, page, isShown)
    const { lines, hasStamp } = await readFormLines(page)
    checkUnpacking()
    page.cleanup()
    const read = readPageText(number, content, lines)
    return hasStamp ? { ...read, flags: new Set([...read.flags, 'CONTENT_OUTSIDE_READ']) } : read
  } catch (error) {
    if (isLimit(error)) throw error
    checkUnpacking()
    return null
  }
}

async function layerTest(document: PdfDocument): Promise<LayerTest> {
  const layers = await document.getOptionalContentConfig({ intent: 'display' })
  return properties => {
    try {
      return layers.isVisible(properties)
    } catch {
      return true
    }
  }
}

/** Memory that could not be had is a limit of the process, not a fault of the page. */
function isLimit(error: unknown): boolean {
  return error instanceof RangeError || error instanceof ReadLimit
}

function reasonOf(error: unknown): 'FILE_ENCRYPTED' | 'FILE_CORRUPT' | null {
  if (isLimit(error) || !(error instanceof Error)) return null
  if (error.name === 'PasswordException') return 'FILE_ENCRYPTED'
  const ofFile = ['InvalidPDFException', 'FormatError', 'UnknownErrorException', 'MissingDataException']
  return ofFile.includes(error.name) ? 'FILE_CORRUPT' : null
}
