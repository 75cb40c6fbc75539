import type { ChildAnswer, ReadLimits } from '../answer.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { readText } from '../text/read-text.ts'

export interface DocumentSource {
  readonly path: string
  readonly mediaType: string
}

/** Chooses the reader by media type. Runs in an extraction process only. */
export async function readDocument(bytes: Buffer, source: DocumentSource, limits: ReadLimits): Promise<ChildAnswer> {
  if (bytes.length === 0) return { ok: false, reason: 'FILE_EMPTY' }
  switch (source.mediaType) {
    case 'application/pdf':
      return readPdf(bytes, limits)
    case 'text/plain':
    case 'text/markdown':
      return readText(bytes, source.mediaType, limits)
    default:
      return { ok: false, reason: 'FILE_TYPE_UNSUPPORTED' }
  }
}
