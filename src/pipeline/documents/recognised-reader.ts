import { join } from 'node:path'
import { createRecogniser } from '../../extract/ocr/recogniser.ts'
import { createDocumentReader, type DocumentReader, type DocumentReaderOptions } from './document-reader.ts'

export interface RecognitionOptions {
  /** A name, `none`, or the path of a module. */
  readonly engine: string
  readonly slots: number
  readonly memoryMb: number
  readonly seconds: number
  readonly recognisedPages: number
  /** Most pages of a document. */
  readonly pages: number
}

/** Makes a reader that also recognises pages without text, in processes of its own; none when that is switched off. */
export async function createRecognisedReader(
  ocr: RecognitionOptions,
  options: Omit<DocumentReaderOptions, 'extractor' | 'document'>
): Promise<DocumentReader | undefined> {
  if (ocr.engine === 'none') return undefined
  const recogniser = await createRecogniser({ ...ocr, tempDir: join(options.tempFolder, 'ocr') })
  // A document whose page has ended a process is begun again within half of its time.
  const document = { slots: ocr.slots, seconds: 1.5 * ocr.seconds }
  const reader = createDocumentReader({ ...options, extractor: recogniser, document })
  return {
    version: reader.version,
    read: (chunk, context, signal) => reader.read(chunk, context, signal),
    async close() {
      await Promise.all([reader.close(), recogniser.close()])
    }
  }
}
