import { z } from 'zod'
import { VALUE_STATUSES } from '../../model/envelope.ts'
import { REASONS, type ReasonCode } from '../../model/reasons.ts'
import { BATCH_STATES, LANES, RECORD_STATES } from '../../model/states.ts'

export const ReasonCodes = z.enum(Object.keys(REASONS) as [ReasonCode, ...ReasonCode[]]).meta({ id: 'ReasonCode' })
export const FailureClass = z.enum(['transient', 'permanent'])

/** Any JSON value; documented as such. */
const AnyJson = z.unknown().meta({ description: 'Any JSON value; amounts are decimal strings, dates YYYY-MM-DD' })

const Origin = z
  .record(z.string(), z.unknown())
  .meta({ description: '{page,bbox}, {paragraph}, {row,column,line} or {registry,key}' })
  .nullable()

const Envelope = z
  .object({
    value: AnyJson,
    raw: z.string().nullable(),
    status: z.enum(VALUE_STATUSES),
    confidence: z.number(),
    origin: Origin,
    flags: z.array(z.string()),
    readings: z.array(z.unknown()).optional()
  })
  .meta({ id: 'Envelope' })

const Reason = z
  .object({
    code: ReasonCodes,
    severity: z.enum(['info', 'warn', 'block', 'fatal']),
    failure_class: FailureClass,
    field: z.string().nullable(),
    message: z.string(),
    origin: Origin
  })
  .meta({ id: 'Reason' })

const Instant = z.string().meta({ format: 'date-time' })

/** Whether the database has an instant: it knows no year 0, and no offset of 16 hours or more. */
const isInstant = (text: string): boolean => !/^0000|[+-](?:1[6-9]|2\d):\d\d$/.test(text)

/** An instant that is asked about. */
export const InstantAsked = z.iso
  .datetime({ offset: true })
  .refine(isInstant, 'expected a year from 0001 on and an offset of less than 16 hours')

/** An instant in a cursor. */
export const InstantOfCursor = z.iso.datetime({ precision: 6 }).refine(isInstant)

const Decision = z
  .object({
    action: z
      .enum(['release', 'correct', 'reject', 'replace'])
      .meta({ description: 'replace: its row came back corrected in an errors file, as the record `replaced_by`' }),
    reason: ReasonCodes.nullable(),
    comment: z.string().nullable(),
    at: Instant,
    actor: z.string().optional().meta({ description: 'Who decided, for scopes review, audit and admin' })
  })
  .meta({ id: 'Decision' })

export const RecordBody = z
  .object({
    id: z.string(),
    batch_id: z.string(),
    jurisdiction: z.string(),
    file_id: z.string(),
    filename: z.string(),
    row: z.number().int().nullable().meta({ description: 'Counts records of the file from 1; null for a document' }),
    line: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Physical line where the record starts; null for a document' }),
    state: z.enum(RECORD_STATES),
    duplicate_of: z.string().nullable(),
    replaced_by: z.string().nullable(),
    profile: z.string(),
    idempotency_key: z.string(),
    natural_key: z.string().nullable(),
    version: z.number().int().nullable(),
    confidence: z.number().nullable(),
    fields: z.record(z.string(), Envelope),
    extra: z.record(z.string(), z.unknown()),
    reasons: z.array(Reason),
    manifest_version: z.string(),
    revision: z.number().int(),
    decision: Decision.nullable().meta({ description: 'What a person decided about the record last' }),
    created_at: Instant,
    updated_at: Instant,
    erased_at: Instant.optional().meta({ description: 'Of a record in a list whose values were erased' }),
    diagnostic: z.unknown().optional().meta({ description: 'For scope admin: stage, code and stack of our own fault' })
  })
  .meta({ id: 'Record' })
export type RecordBody = z.infer<typeof RecordBody>

const Counts = z
  .object({
    total: z.number().int().meta({ description: 'Found so far; always the sum of the others' }),
    pending: z.number().int(),
    accepted: z.number().int().meta({ description: 'Without duplicates' }),
    duplicate: z.number().int(),
    quarantined: z.number().int(),
    rejected: z.number().int(),
    cancelled: z.number().int()
  })
  .meta({ id: 'Counts' })

const BatchLinks = z
  .object({
    self: z.string(),
    records: z.string(),
    progress: z.string(),
    quarantine: z.string()
  })
  .meta({ id: 'BatchLinks' })

export const BatchSummary = z.object({
  id: z.string(),
  state: z.enum(BATCH_STATES),
  profile: z.string(),
  jurisdiction: z.string(),
  source: z.string().nullable(),
  lane: z.enum(LANES),
  dry_run: z.boolean().meta({ description: 'Whether outcomes are reported only and nothing comes of the records' }),
  parent_batch_id: z.string().nullable().meta({ description: 'The batch whose errors file this one brings back' }),
  manifest_version: z.string(),
  counts: Counts,
  received_at: Instant,
  started_at: Instant.nullable(),
  finished_at: Instant.nullable()
})
export type BatchSummary = z.infer<typeof BatchSummary>

export const FileBody = z
  .object({
    id: z.string(),
    filename: z.string(),
    media_type: z.string(),
    size: z.number().int(),
    sha256: z.string()
  })
  .meta({ id: 'File' })

export const BatchBody = BatchSummary.extend({
  total_final: z.boolean().meta({ description: 'Whether every file has been split, so that the total is final' }),
  progress: z.number().min(0).max(1),
  eta_seconds: z.number().nullable(),
  paused: z
    .object({
      jurisdiction: z.string().nullable().meta({ description: 'null: all of them are paused' }),
      lane: z.enum(LANES).nullable().meta({ description: 'null: all lanes are paused' }),
      since: Instant
    })
    .nullable()
    .meta({ description: 'The pause by which an operator holds back its work; what was begun goes on' }),
  stages: z
    .record(z.string(), z.object({ total_ms: z.number() }))
    .meta({ description: 'Milliseconds per stage, summed over the chunks committed' }),
  links: BatchLinks
})
export type BatchBody = z.infer<typeof BatchBody>

export const AcceptedBody = z
  .object({
    id: z.string(),
    state: z.enum(['queued']),
    profile: z.string(),
    jurisdiction: z.string(),
    source: z.string().nullable(),
    lane: z.enum(LANES),
    dry_run: z.boolean().optional().meta({ description: 'true for a dry run' }),
    manifest_version: z.string(),
    files: z.array(FileBody),
    links: BatchLinks
  })
  .meta({ id: 'AcceptedBatch' })

/** Query parameters of every listing. */
export const Paging = {
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  cursor: z.string().optional().meta({ description: 'next_cursor of the page before' })
}

export const pageSchema = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' })
  })

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Ids in paths are any text: one that is not an id does not exist. */
export const IdParams = z.object({ id: z.string() })
export const isId = (text: string): boolean => UUID.test(text)
