import { crashPoint } from '../../crash-points.ts'
import {
  type Extraction,
  type ExtractionKey,
  failExtraction,
  finishExtraction,
  forgiveExtraction,
  launchExtraction,
  readExtraction,
  reopenExtraction
} from '../../db/documents/extractions.ts'
import type { Pool } from '../../db/pool.ts'
import type { ChunkWork } from '../../db/work/chunks.ts'
import { AppError } from '../../errors.ts'
import { type ExtractFailure, givenUp, isGivenUp } from '../../extract/answer.ts'
import type { Extractor } from '../../extract/extractor.ts'
import type { Logger } from '../../logger.ts'
import type { NewId } from '../../model/ids.ts'
import type { ReasonCode } from '../../model/reasons.ts'
import type { Candidate } from '../../profiles/candidate.ts'
import type { FindContext } from '../../profiles/find/find-fields.ts'
import type { PayloadStore } from '../../storage/payload-store.ts'
import { isToBlame } from '../poison/to-blame.ts'
import { createFinder, type Finder, type FindResponse } from './finder.ts'
import { createTurns } from './in-turn.ts'
import { withPayloadCopy } from './payload-copy.ts'
import { loadResult, storeResult } from './result-store.ts'

export interface DocumentReaderOptions {
  readonly pool: Pool
  readonly store: PayloadStore
  readonly extractor: Pick<Extractor, 'version' | 'extractTo'>
  readonly newId: NewId
  readonly logger: Logger
  /** Folder for copies of documents while they are read; private to this process. */
  readonly tempFolder: string
  readonly profileFolder: string | undefined
  readonly document: { readonly slots: number; readonly seconds: number }
}

/** What was found in a document that could be read; `error` is set when a step of ours failed on it. */
export interface Found {
  readonly ok: true
  /** One for a document of one record, one for each row of a listing; none when a step failed. */
  readonly candidates: readonly Candidate[]
  readonly isListing: boolean
  /** Whether some of its pages have no text of their own, and were not recognised. */
  readonly hasUnreadPages: boolean
  readonly error: Error | null
}

export interface DocumentReader {
  /** What its results are kept under. */
  readonly version: string
  /**
   * Reads a document and finds its fields. The same bytes are read once by one version of the extractor, whatever
   * becomes of the job: the result is kept. A document that has ended its reader three times is not tried again.
   */
  read(chunk: ChunkWork, context: FindContext, signal: AbortSignal): Promise<Found | ExtractFailure>
  close(): Promise<void>
}

/** Our own words for how a document failed; nothing else is kept. */
const DETAIL = /^[a-z_]{1,40}$/
/** A document that ended its reader this often does so always. */
const MAX_LAUNCHES = 2
/** Tried again at once: a machine short of memory ends the innocent too. What has used up its time would do so again. */
const WORTH_A_SECOND_TRY: readonly ReasonCode[] = ['EXTRACTION_MEMORY', 'EXTRACTION_CRASH']
/** Beside the time a document may take: to wait for a process, and to keep the result. */
const SPARE_SECONDS = 60

type Open = (answer: Buffer) => Promise<Found>

interface Work {
  readonly chunk: ChunkWork
  readonly key: ExtractionKey
  readonly open: Open
  readonly signal: AbortSignal
}

interface Launch {
  readonly outcome: Found | ExtractFailure
  readonly launches: number
}

const spent = (outcome: Extraction['outcome']): ExtractFailure =>
  (outcome as ExtractFailure | null) ?? givenUp('crashed')

function toFound(response: FindResponse): Found {
  if (response.kind === 'malformed') throw new RangeError('An answer of an extraction process is none.')
  if (response.kind === 'failed') {
    return { ok: true, candidates: [], isListing: false, hasUnreadPages: false, error: response.error }
  }
  const { candidates, isListing, hasUnreadPages } = response
  return { ok: true, candidates, isListing, hasUnreadPages, error: null }
}

class CachingReader implements DocumentReader {
  readonly version: string
  private readonly options: DocumentReaderOptions
  private readonly finder: Finder
  private readonly inTurn = createTurns()
  private readonly runningSeconds: number

  constructor(options: DocumentReaderOptions) {
    const { slots, seconds } = options.document
    this.options = options
    this.version = options.extractor.version
    this.runningSeconds = seconds + SPARE_SECONDS
    this.finder = createFinder({ threads: slots, seconds, profileFolder: options.profileFolder })
  }

  async read(chunk: ChunkWork, context: FindContext, signal: AbortSignal): Promise<Found | ExtractFailure> {
    const { jurisdiction, sha256, mediaType, profile } = chunk
    const key = { jurisdiction, sha256, mediaType, extractor: this.version }
    const open: Open = async answer => toFound(await this.finder.find({ answer, profile, context }, signal))
    const name = `${jurisdiction} ${sha256.toString('hex')} ${mediaType}`
    return this.inTurn(name, async () => {
      signal.throwIfAborted()
      const work = { chunk, key, open, signal }
      return (await this.readKept(work)) ?? this.extract(work)
    })
  }

  close(): Promise<void> {
    return this.finder.close()
  }

  /** What an earlier reading of the same bytes gave; undefined when there is none that can be used. */
  private async readKept({ chunk, key, open, signal }: Work): Promise<Found | ExtractFailure | undefined> {
    const { pool, store, logger } = this.options
    const known = await readExtraction(pool, key, this.runningSeconds)
    if (!known) return undefined
    if (!known.finished) return (await this.isSpent(known)) ? spent(known.outcome) : undefined
    if (known.resultUri === null) return spent(known.outcome)
    const answer = await loadResult(store, known.resultUri, known.outcome)
    try {
      if (answer) return await open(answer)
    } catch (error) {
      if (signal.aborted || error instanceof AppError) throw error
    }
    logger.error({ chunk_id: chunk.id, file_id: chunk.fileId }, 'a kept reading is gone or damaged: read again')
    await reopenExtraction(pool, key, known.resultUri)
    return undefined
  }

  /** Without a failure that was told, the workers ended that had it read: of it, or of something else. */
  private async isSpent({ launches, running, outcome }: Extraction): Promise<boolean> {
    if (launches < MAX_LAUNCHES || running) return false
    return outcome !== null || isToBlame(this.options.pool, launches + 1, MAX_LAUNCHES)
  }

  private async extract(work: Work): Promise<Found | ExtractFailure> {
    return withPayloadCopy(this.options, work.chunk, async path => {
      crashPoint('document.copied')
      const { outcome, launches } = await this.launch(work, path)
      if (outcome.ok || launches >= MAX_LAUNCHES || !WORTH_A_SECOND_TRY.includes(outcome.reason)) return outcome
      return (await this.launch(work, path)).outcome
    })
  }

  /** One try, counted before its start so that one which takes this process along is counted too. */
  private async launch({ chunk, key, open, signal }: Work, path: string): Promise<Launch> {
    const { pool, extractor } = this.options
    const launched = await launchExtraction(pool, key, this.runningSeconds)
    crashPoint('extraction.launched')
    try {
      const keep = (answer: Buffer): Promise<Found> => this.openAndKeep({ key, open }, answer)
      const outcome = await extractor.extractTo(path, chunk.mediaType, keep, signal)
      if (!outcome.ok) await this.keepFailure(key, outcome)
      return { outcome, launches: launched.launches }
    } catch (error) {
      await forgiveExtraction(pool, key, launched)
      throw error
    }
  }

  /** An answer is kept once it has been checked. */
  private async openAndKeep({ key, open }: Pick<Work, 'key' | 'open'>, answer: Buffer): Promise<Found> {
    const { pool, store, newId } = this.options
    crashPoint('extraction.answered')
    const found = await open(answer)
    const result = await storeResult(store, { jurisdiction: key.jurisdiction, id: newId() }, answer)
    crashPoint('extraction.stored')
    if (!(await finishExtraction(pool, key, result))) await store.remove(result.uri)
    crashPoint('extraction.finished')
    return found
  }

  /** A document without text will never have any; one that broke its limits may keep them on a quieter machine. */
  private async keepFailure(key: ExtractionKey, failure: ExtractFailure): Promise<void> {
    const { pool } = this.options
    const { ok, reason, detail } = failure
    const outcome = { ok, reason, ...(detail && DETAIL.test(detail) ? { detail } : {}) }
    if (isGivenUp(failure)) await failExtraction(pool, key, outcome)
    else await finishExtraction(pool, key, { uri: null, outcome })
  }
}

/** Makes a reader that keeps what it has read in the payload store and the `extraction` table. */
export function createDocumentReader(options: DocumentReaderOptions): DocumentReader {
  return new CachingReader(options)
}
