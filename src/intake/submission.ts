import type { Readable } from 'node:stream'
import type { Pool } from '../db/pool.ts'
import type { MappingRow } from '../db/work/source-mappings.ts'
import type { Logger } from '../logger.ts'
import type { NewId } from '../model/ids.ts'
import type { FilePlan } from '../model/plan.ts'
import type { Lane } from '../model/states.ts'
import type { Boss } from '../queue/boss.ts'
import type { PayloadStore } from '../storage/payload-store.ts'
import type { Encoding } from '../tabular/text/encodings.ts'

/** One part of a submission as it arrives; a raw body is one file part. */
export type Part =
  | { readonly kind: 'field'; readonly name: string; readonly value: string; readonly truncated: boolean }
  | {
      readonly kind: 'file'
      readonly filename: string | undefined
      readonly declaredType: string | undefined
      readonly stream: Readable
      /** Whether a limit of the parser cut the file short; asked once the stream has ended. */
      readonly truncated: () => boolean
    }

export interface Submission {
  /** `key:<id>`: who sends it; the scope of its Idempotency-Key. */
  readonly principal: string
  readonly idempotencyKey: string | undefined
  /** Fields given in the query. */
  readonly query: Readonly<Record<string, string>>
  /** Reads the body; not called before the Idempotency-Key is reserved. */
  readonly parts: () => AsyncIterable<Part>
  /** A raw body of no bytes is an error; an empty part of a multipart body is a rejected record. */
  readonly isRaw: boolean
  /** Throws `JURISDICTION_FORBIDDEN` when the principal may not send to this one. */
  readonly authorize: (jurisdiction: string) => void
  /** Aborted with an `AppError` as its reason when the body can no longer be waited for. */
  readonly signal: AbortSignal
}

/** A field set that is complete and valid. */
export interface RequestOptions {
  readonly profile: string
  readonly jurisdiction: string
  readonly source: string | null
  readonly lane: Lane
  readonly force: boolean
  /** What would become of the content is reported, and nothing comes of it. */
  readonly dryRun: boolean
  /** Name of the sheet that is read of every workbook; null for the first visible one. */
  readonly sheet: string | null
  /** The declared encoding of every text file; null where it is to be found out. */
  readonly encoding: Encoding | null
}

/** One received file, in the spool. */
export interface ReceivedFile {
  readonly filename: string
  readonly declaredType: string | null
  readonly spoolName: string
  readonly size: number
  readonly sha256: Buffer
}

/** What intake has to know of a profile. */
export interface IntakeProfile {
  readonly name: string
  readonly manifestVersion: string
  /** Text without a steady delimiter is a document of this profile, not a data file. */
  readonly takesDocuments: boolean
}

/** Splits a data file that is small enough to be read whole. */
export type PlanFile = (work: {
  readonly profile: string
  /** The saved mapping of its source. */
  readonly mapping: MappingRow | null
  /** The encoding declared with the submission; goes before the mapping's. */
  readonly encoding: string | null
  readonly file: { readonly filename: string; readonly mediaType: string; readonly size: number }
  readonly bytes: Buffer
}) => Promise<FilePlan>

export interface IntakeDeps {
  readonly pool: Pool
  readonly boss: Boss
  readonly store: PayloadStore
  readonly logger: Logger
  readonly newId: NewId
  readonly profiles: ReadonlyMap<string, IntakeProfile>
  readonly planFile: PlanFile
  readonly limits: { readonly fileBytes: number; readonly requestBytes: number; readonly parts: number }
  readonly idempotencyTtlSeconds: number
  /** How long a reservation outlives the process that holds it. */
  readonly leaseSeconds: number
}

/** The body of a 202, stored so that a repetition gets the same. Snake case because it is answered as it stands. */
export interface BatchAnswer {
  readonly id: string
  readonly state: 'queued'
  readonly profile: string
  readonly jurisdiction: string
  readonly source: string | null
  readonly lane: Lane
  /** Only for a dry run. */
  readonly dry_run?: true
  readonly manifest_version: string
  readonly files: readonly {
    readonly id: string
    readonly filename: string
    readonly media_type: string
    readonly size: number
    readonly sha256: string
  }[]
  readonly links: {
    readonly self: string
    readonly records: string
    readonly progress: string
    readonly quarantine: string
  }
}

export interface Accepted {
  readonly answer: BatchAnswer
  /** True when an earlier batch answers for this request. */
  readonly replayed: boolean
}
