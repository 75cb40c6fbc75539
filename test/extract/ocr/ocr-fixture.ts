import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import type { ExtractFailure } from '../../../src/extract/answer.ts'
import { createRecogniser, type Recogniser, type RecogniserOptions } from '../../../src/extract/ocr/recogniser.ts'
import { decodeAnswer } from '../../../src/extract/wire.ts'
import type { DocumentText } from '../../../src/model/document-text.ts'

export const PDF = 'application/pdf'

/** What every picture of `fixtures/ocr` shows. */
export const SHOWN = [
  'Policy Number: HX-150901',
  'Named Insured: Millpond Veterinary',
  'Effective Date: 2024-06-10',
  'Expiration Date: 2025-06-10',
  'Total Premium: $2,468.00'
]

const DEFAULTS = {
  engine: 'tesseract',
  memoryMb: 1024,
  seconds: 120,
  pages: 2000,
  recognisedPages: 100,
  slots: 1
}

/** Absolute path of a picture. */
export const picture = (name: string): string => fileURLToPath(new URL(`../../fixtures/ocr/${name}`, import.meta.url))

const TYPES: Readonly<Record<string, string>> = { pdf: PDF, png: 'image/png', jpg: 'image/jpeg', tiff: 'image/tiff' }
export const typeOf = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? ''

/** A recogniser with real processes that is closed after the test. */
export async function testRecogniser(t: Test, options: Partial<RecogniserOptions> = {}): Promise<Recogniser> {
  const recogniser = await createRecogniser({ ...DEFAULTS, tempDir: t.testdir(), ...options })
  t.teardown(() => recogniser.close())
  return recogniser
}

/** The document as recognised, or the failure. */
export async function recognise(
  recogniser: Recogniser,
  path: string,
  mediaType = typeOf(path)
): Promise<DocumentText | ExtractFailure> {
  const outcome = await recogniser.extractTo(path, mediaType, async answer => {
    const decoded = decodeAnswer(answer)
    if (!decoded.ok) throw new RangeError('an answer that was not marked as a failure is one')
    return decoded
  })
  return outcome.ok ? outcome.document : outcome
}

/** Text of every line of a page; the failure's reason when there is none. */
export function linesOf(read: DocumentText | ExtractFailure, page = 0): string[] {
  if (!('pages' in read)) return [read.reason]
  return (read.pages[page]?.lines ?? []).map(line => line.text)
}
