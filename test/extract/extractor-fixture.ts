import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { createExtractor, type Extractor, type ExtractorOptions } from '../../src/extract/extractor.ts'
import type { DocumentText } from '../../src/model/document-text.ts'

export const PDF = 'application/pdf'
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

const DEFAULTS = { memoryMb: 512, seconds: 60, pages: 2000, slots: 1 }

/** Absolute path of a fixture. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/extract/${name}`, import.meta.url))
}

/** An extractor that is closed after the test. */
export function testExtractor(t: Test, options: Partial<ExtractorOptions> = {}): Extractor {
  const extractor = createExtractor({ ...DEFAULTS, tempDir: t.testdir(), ...options })
  t.teardown(() => extractor.close())
  return extractor
}

/** The document, or a failure that names the reason. */
export async function read(extractor: Extractor, name: string, mediaType: string): Promise<DocumentText> {
  const outcome = await extractor.extract(fixture(name), mediaType)
  if (!outcome.ok) throw new Error(`${name} was refused: ${outcome.reason} ${outcome.detail ?? ''}`)
  return outcome.document
}

/** Text of every line of a page. */
export function linesOf(document: DocumentText, page = 0): string[] {
  return (document.pages[page]?.lines ?? []).map(line => line.text)
}
