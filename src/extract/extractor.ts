import { fileURLToPath } from 'node:url'
import type { ExtractFailure, ExtractOutcome } from './answer.ts'
import { extractorVersion } from './extractor-version.ts'
import type { Isolation } from './isolation.ts'
import { ProcessPool } from './process-pool.ts'
import { decodeAnswer } from './wire.ts'

export type { ExtractFailure, ExtractOutcome } from './answer.ts'

export interface ExtractorOptions {
  /** Memory ceiling of one document, in MB. */
  readonly memoryMb: number
  /** Wall clock and CPU ceiling of one document. */
  readonly seconds: number
  readonly pages: number
  /** Documents in flight; as many processes are kept warm. */
  readonly slots: number
  /** A folder of our own for the one file each process may read. */
  readonly tempDir: string
  /** The program of the processes; another one only in tests. */
  readonly program?: string
}

/** Reads documents in processes of their own. */
export interface Extractor {
  /** Under the same version the same bytes give the same result. */
  readonly version: string
  /** How far this machine lets documents be shut in; for readiness to state. */
  readonly isolation: Isolation
  /**
   * Reads one document into text. A document that is bad, or that breaks its ceilings, is an outcome; throws
   * an AppError for faults of ours only, and the signal's reason when aborted. Further calls wait for a slot.
   */
  extract(path: string, mediaType: string, signal?: AbortSignal): Promise<ExtractOutcome>
  /**
   * Does the same, but leaves the answer of a document that was read to `open`, which must check it with `decodeAnswer`:
   * it was written by a process that has seen a hostile document. What `open` throws, but for AppErrors, says that the
   * answer is none: the process is ended and the document has failed.
   */
  extractTo<T extends { readonly ok: true }>(
    path: string,
    mediaType: string,
    open: (answer: Buffer) => Promise<T>,
    signal?: AbortSignal
  ): Promise<T | ExtractFailure>
  /** Throws `STORE_UNAVAILABLE` when no process for reading can be started here. */
  check(): Promise<void>
  /** Ends all processes. Documents in flight are given up: their calls throw a retryable AppError. */
  close(): Promise<void>
}

/** The media types that `extract` reads. */
export const EXTRACTED_MEDIA_TYPES = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/plain',
  'text/markdown'
] as const

/** Characters of text in one document; a 2,000 page contract has about 4 million. */
const MAX_CHARACTERS = 8_000_000
const PROGRAM = fileURLToPath(new URL('child/main.ts', import.meta.url))

/** Makes an extractor and starts its processes in the background. */
export function createExtractor(options: ExtractorOptions): Extractor {
  const { pages, memoryMb, seconds } = options
  const pool = new ProcessPool({ program: PROGRAM, ...options })
  const extractTo: Extractor['extractTo'] = async (path, mediaType, open, signal) => {
    if (!EXTRACTED_MEDIA_TYPES.some(known => known === mediaType)) return { ok: false, reason: 'FILE_TYPE_UNSUPPORTED' }
    const request = { mediaType, pages, characters: MAX_CHARACTERS }
    return pool.run({ path, request, open, ...(signal ? { signal } : {}) })
  }
  return {
    version: extractorVersion({ pages, memoryMb, seconds, characters: MAX_CHARACTERS }),
    isolation: pool.isolation,
    extract: (path, mediaType, signal) => extractTo(path, mediaType, async answer => documentOf(answer), signal),
    extractTo,
    check: () => pool.check(),
    close: () => pool.close()
  }
}

function documentOf(answer: Buffer): ExtractOutcome & { readonly ok: true } {
  const decoded = decodeAnswer(answer)
  if (decoded.ok) return decoded
  throw new RangeError('an answer that was not marked as a failure is one')
}
