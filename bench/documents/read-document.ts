import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { createExtractor, type ExtractOutcome } from '../../src/extract/extractor.ts'
import { createRecogniser } from '../../src/extract/ocr/recogniser.ts'
import { hasUnreadPages } from '../../src/extract/ocr/unread-pages.ts'
import { decodeAnswer } from '../../src/extract/wire.ts'
import { MEDIA_TYPES } from './truth.ts'

export interface DocumentReader {
  readonly read: (path: string) => Promise<ExtractOutcome>
  readonly close: () => Promise<void>
}

/**
 * Extracts documents as production does. Extraction is slow and does not change while finding is worked on:
 * `cache` names a folder that keeps its results.
 */
export function documentReader(cache?: string): DocumentReader {
  const tempDir = mkdtempSync(join(tmpdir(), 'docket-score-'))
  const extractor = createExtractor({ memoryMb: 512, seconds: 60, pages: 2000, slots: 2, tempDir })
  const limits = { memoryMb: 1024, seconds: 600, pages: 2000, recognisedPages: 100, slots: 1 }
  const recogniser = createRecogniser({ ...limits, engine: 'tesseract', tempDir: join(tempDir, 'ocr') })
  const recognise = async (path: string, mediaType: string): Promise<ExtractOutcome> =>
    (await recogniser).extractTo(path, mediaType, async answer => {
      const decoded = decodeAnswer(answer)
      if (!decoded.ok) throw new RangeError('an answer that was not marked as a failure is one')
      return decoded
    })
  const read = async (path: string): Promise<ExtractOutcome> => {
    const mediaType = MEDIA_TYPES[extname(path)] ?? 'application/pdf'
    const text = await extractor.extract(resolve(path), mediaType)
    return text.ok && hasUnreadPages(text.document) ? recognise(resolve(path), mediaType) : text
  }
  return {
    read: async path => {
      if (cache === undefined) return read(path)
      mkdirSync(cache, { recursive: true })
      const kept = join(cache, `${basename(dirname(path))}-${basename(path)}-${statSync(path).size}.json`)
      if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as ExtractOutcome
      const outcome = await read(path)
      writeFileSync(kept, JSON.stringify(outcome))
      return outcome
    },
    close: async () => {
      await Promise.all([extractor.close(), (await recogniser).close()])
      rmSync(tempDir, { recursive: true, force: true })
    }
  }
}
