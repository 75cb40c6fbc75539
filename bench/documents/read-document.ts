import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { createExtractor, type ExtractOutcome } from '../../src/extract/extractor.ts'
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
  const read = (path: string): Promise<ExtractOutcome> =>
    extractor.extract(resolve(path), MEDIA_TYPES[extname(path)] ?? 'application/pdf')
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
      await extractor.close()
      rmSync(tempDir, { recursive: true, force: true })
    }
  }
}
