import type { SigningKeys } from '../audit/receipt/write-receipt.ts'
import type { RedriveFilter } from '../db/operations/redrivable.ts'
import type { Pool } from '../db/pool.ts'
import type { StoredRecord } from '../db/reads/record-reads.ts'
import type { IntakeDeps } from '../intake/submission.ts'
import type { Logger } from '../logger.ts'
import type { Fields } from '../model/envelope.ts'
import type { NewId } from '../model/ids.ts'
import type { Json } from '../model/json.ts'
import type { ReasonCode } from '../model/reasons.ts'
import type { PageImages } from '../pipeline/page-images/page-images.ts'
import type { Profile } from '../profiles/profile.ts'
import type { Download } from '../review/note-download.ts'
import type { RedrivePreview } from '../review/operations/redrive-held.ts'
import type { Corrections, RecordTarget } from '../review/review-deps.ts'
import type { PayloadStore } from '../storage/payload-store.ts'
import type { BodyLimits } from './submission/body-watch.ts'
import type { DiskMarks } from './submission/disk-marks.ts'

/**
 * What can be done about held records and unfinished batches. Each is one transaction with its audit entry. They throw
 * `REVISION_STALE`, `RECORD_NOT_HELD`, `RECORD_STILL_BLOCKED`, `FIELD_INVALID`, `BATCH_FINISHED`.
 */
export interface ReviewActions {
  releaseRecord(target: RecordTarget, corrections: Corrections): Promise<void>
  rejectRecord(target: RecordTarget, decision: { readonly reason: ReasonCode; readonly comment: string }): Promise<void>
  correctRecord(target: RecordTarget, corrections: Corrections): Promise<void>
  retryRecord(target: RecordTarget): Promise<void>
  /** Runs held records of a batch again; by default those with a transient reason. */
  retryBatch(work: {
    readonly jurisdiction: string
    readonly batchId: string
    readonly actor: string
    readonly codes: readonly ReasonCode[] | null
  }): Promise<{ readonly retried: number }>
  /** What `redriveHeld` would have run again. */
  previewRedrive(filter: RedriveFilter): Promise<RedrivePreview>
  /** Runs held records of a jurisdiction again. */
  redriveHeld(filter: RedriveFilter): Promise<{ readonly retried: number }>
  /** Stops what has not started. */
  cancelBatch(work: { readonly jurisdiction: string; readonly batchId: string; readonly actor: string }): Promise<void>
  /** Puts a download into the audit trail, before it begins. */
  noteDownload(download: Download): Promise<void>
}

export interface ServerLimits extends BodyLimits {
  readonly requestTimeoutMs: number
  /** Must not exceed `requestTimeoutMs`, which has no effect otherwise. */
  readonly headersTimeoutMs: number
  readonly connectionsCheckMs: number
  readonly keepAliveMs: number
  readonly requestsPerSocket: number
  /** How long the rest of a refused body is still read. */
  readonly lingerMs: number
  /** Most bytes of a JSON body other than a submission. */
  readonly bodyBytes: number
}

/** Everything the API works with; made once when it starts, or by a test. */
export interface ApiDeps {
  /** For everything but taking submissions and decisions, which have their own. */
  readonly pool: Pool
  /** All of them, to be counted. */
  readonly pools: readonly Pool[]
  readonly store: PayloadStore
  readonly logger: Logger
  readonly newId: NewId
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
  readonly intake: IntakeDeps
  readonly profiles: ReadonlyMap<string, Profile>
  readonly review: ReviewActions
  /** Pictures of the pages of documents. */
  readonly pages: PageImages
  /** The envelopes of a record, whole. */
  readonly fieldsOf: (record: StoredRecord, format: Json) => Fields
  readonly limits: ServerLimits
  /** Seconds the oldest job may wait before new batches are refused. */
  readonly queueAgeSeconds: number
  /** Whether the disk has room for submissions. */
  readonly disk: DiskMarks
  /** The keys of the audit log, which sign receipts too. Throws `SIGNING_KEY_MISSING` when this process has none. */
  readonly signing: () => Promise<SigningKeys>
  /** True once the process has been told to end. */
  readonly isDraining: () => boolean
}

const MIB = 1024 * 1024

/** Limits of a server in use. Node checks the time of a body only when headers have a smaller limit than requests. */
export const serverLimits = (requestBytes: number): ServerLimits => ({
  requestBytes,
  requestTimeoutMs: 3_600_000,
  headersTimeoutMs: 20_000,
  connectionsCheckMs: 5000,
  keepAliveMs: 65_000,
  requestsPerSocket: 10_000,
  lingerMs: 5000,
  bodyBytes: MIB,
  minBytesPerSecond: 1024,
  stallMs: 30_000,
  graceMs: 10_000
})
