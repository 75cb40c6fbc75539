import type { ChildAnswer, ReadLimits } from '../answer.ts'
import { readDocx } from '../docx/read-docx.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { readText } from '../text/read-text.ts'

/** Chooses the reader by media type. Runs in an extraction process only. */
export async function readDocument(bytes: Buffer, mediaType: string, limits: ReadLimits): Promise<ChildAnswer> {
  if (bytes.length === 0) return { ok: false, reason: 'FILE_EMPTY' }
  switch (mediaType) {
    case 'application/pdf':
      return readPdf(bytes, limits)
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document':
      return readDocx(bytes, limits)
    case 'text/plain':
    case 'text/markdown':
      return readText(bytes, mediaType, limits)
    default:
      return { ok: false, reason: 'FILE_TYPE_UNSUPPORTED' }
  }
}
