import type { ExtractFailure } from '../answer.ts'
import { ImageFault } from './image-fault.ts'
import { readJpeg } from './read-jpeg.ts'
import { readPng } from './read-png.ts'
import { readTiff } from './read-tiff.ts'
import { type PicturePage, writePdf } from './write-pdf.ts'

const READERS: Readonly<Record<string, (bytes: Buffer, mostPages: number) => PicturePage[]>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/tiff': readTiff
}

/** Whether pictures of this type are read as documents. */
export const isImage = (mediaType: string): boolean => Object.hasOwn(READERS, mediaType)

/**
 * A picture as a PDF with one page for each of its own, so that there is one way to draw and to read pages. Its data is
 * handed on packed: whoever draws the page unpacks it, within the limits of its process.
 */
export function imageAsPdf(bytes: Buffer, mediaType: string, mostPages: number): Buffer | ExtractFailure {
  const read = READERS[mediaType]
  if (!read) return { ok: false, reason: 'FILE_TYPE_UNSUPPORTED' }
  try {
    return writePdf(read(bytes, mostPages))
  } catch (error) {
    if (error instanceof ImageFault) return error.failure
    throw error
  }
}
