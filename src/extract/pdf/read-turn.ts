import { isUnread } from '../ocr/unread-pages.ts'
import { interpretPage } from './draw/interpret-page.ts'
import { readPageText } from './layout/page-text.ts'
import { quarterOf } from './layout/turned-page.ts'
import { loadPdfjs, openDocument } from './pdfjs.ts'

/**
 * By how many quarters clockwise the text of a page, counted from 1, stands turned on the page as displayed: what reading
 * the page turns back, so that boxes are those of an upright page. 0 where nothing can be read, and for a scan. The bytes
 * may be gone afterwards.
 */
export async function readTurn(bytes: Buffer, number: number): Promise<number> {
  const pdfjs = await loadPdfjs()
  const task = openDocument(pdfjs, handedOver(bytes))
  try {
    const document = await task.promise
    const page = await document.getPage(number)
    const content = await interpretPage(pdfjs, page, () => true)
    // What is recognised from the picture of a page has its place on the page as it is displayed.
    return isUnread(readPageText(number, content, []).page) ? 0 : quarterOf(content)
  } catch (error) {
    // Memory that could not be had is a limit of the process; anything else is a page that is not read either.
    if (error instanceof RangeError) throw error
    return 0
  } finally {
    await task.destroy()
  }
}

/** Smaller buffers may lie in memory that others use too. */
const OWN_MEMORY = 1024 * 1024

/** pdfjs takes the memory of what it is given: of a large document a copy more is a page not drawn. */
const handedOver = (bytes: Buffer): Uint8Array =>
  bytes.length < OWN_MEMORY ? new Uint8Array(bytes) : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
