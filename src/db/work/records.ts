import type { Json } from '../../model/json.ts'
import type { Reason } from '../../model/reasons.ts'
import type { RecordState } from '../../model/states.ts'
import type { EntryFrame, EntryHash, Timeline } from '../audit-entries.ts'
import type { Tx } from '../pool.ts'
import { packIds, packKeys } from './binary.ts'

export interface RecordOwner {
  readonly jurisdiction: string
  readonly batchId: string
  readonly fileId: string
  readonly fileNumber: number
  readonly chunkId: string
  readonly profile: string
  readonly manifest: number
}

/** A record as it becomes durable, with its first audit entry. */
export interface RecordRow {
  readonly id: string
  /** Its number in the file from 1; 0 for a document or a file that could not be split. */
  readonly item: number
  readonly line: number | null
  readonly state: RecordState
  /** Hex. */
  readonly idempotencyKey: string
  readonly naturalKey: string | null
  readonly version: number | null
  readonly duplicateOf: string | null
  readonly confidence: number | null
  readonly reasons: readonly Reason[]
  /** Envelopes that differ from the file's default. */
  readonly fields: Json
  /** Normalized values. Stored as a version of content when `isVersion`, with the record itself when it is held. */
  readonly content: Json
  readonly isVersion: boolean
  readonly diagnostic: Json
  /** Index into the timelines. */
  readonly timeline: number
  /** Canonical JSON of the audit entry's detail; null for none. */
  readonly detail: string | null
}

/** What the audit entries of the set share. */
export interface RecordAudit {
  readonly frame: EntryFrame
  /** Hex: the hash of the batch's first entry, which all of them follow. */
  readonly previous: string
  readonly timelines: readonly Timeline[]
}

const isEmpty = (value: Json): boolean => value !== null && typeof value === 'object' && Object.keys(value).length === 0

/** A record as nearly all are: the first version of its content, sure, with nothing to remark. */
const isPlain = (row: RecordRow): boolean =>
  row.state === 'accepted' &&
  row.isVersion &&
  row.version === 1 &&
  row.confidence === 1 &&
  row.timeline === 0 &&
  row.reasons.length === 0 &&
  row.diagnostic === null &&
  row.detail === PLAIN_DETAIL

const PLAIN_DETAIL = '{"version":1}'

/** Members that go without saying are left off the end; the statement knows what they are. */
function toElement(row: RecordRow): unknown[] {
  const { item, line, naturalKey, content, fields } = row
  if (isPlain(row))
    return isEmpty(fields) ? [item, line, naturalKey, content] : [item, line, naturalKey, content, fields]
  return [
    item,
    line,
    naturalKey,
    content,
    fields,
    row.state,
    row.version,
    row.duplicateOf,
    row.confidence,
    row.reasons,
    row.isVersion,
    row.diagnostic,
    row.timeline,
    row.detail,
    JSON.stringify(row.reasons.map(reason => reason.code))
  ]
}

const valuesOf = (owner: RecordOwner, rows: readonly RecordRow[], audit: RecordAudit): unknown[] => [
  owner.jurisdiction,
  owner.batchId,
  owner.fileId,
  owner.fileNumber,
  owner.chunkId,
  owner.profile,
  owner.manifest,
  JSON.stringify(rows.map(toElement)),
  packIds(rows.map(row => row.id)),
  packKeys(rows.map(row => row.idempotencyKey)),
  JSON.stringify(audit.timelines),
  audit.frame.opening,
  audit.frame.jurisdiction,
  audit.frame.manifest,
  audit.previous
]

/**
 * Writes a set of new records, the versions of content they bring and their first audit entries, in one statement over
 * one JSON parameter; ids and keys travel packed. Answers the hashes of the entries, in no particular order.
 */
export async function insertRecords(
  tx: Tx,
  owner: RecordOwner,
  rows: readonly RecordRow[],
  audit: RecordAudit
): Promise<EntryHash[]> {
  const { rows: written } = await tx.query<{ subject_id: string; hash: Buffer }>({
    name: 'insert-records',
    text: `with timeline as materialized (
        select (ordinality - 1)::int as number, audit_steps(value) as steps from jsonb_array_elements($11::jsonb) with ordinality
      ), r as materialized (
        select encode(substring($9::bytea from n::int * 16 - 15 for 16), 'hex')::uuid as id, substring($10::bytea from n::int * 32 - 31 for 32) as key,
          (e ->> 0)::int as item, (e ->> 1)::int as line, e ->> 2 as natural_key, nullif(e -> 3, 'null') as content,
          coalesce(e -> 4, '{}') as fields, coalesce(e ->> 5, 'accepted') as state,
          case when e ->> 5 is null then 1 else (e ->> 6)::int end as version, (e ->> 7)::uuid as duplicate_of,
          case when e ->> 5 is null then 1 else (e ->> 8)::real end as confidence, coalesce(e -> 9, '[]') as reasons,
          coalesce((e ->> 10)::boolean, true) as is_version, nullif(e -> 11, 'null') as diagnostic,
          coalesce((e ->> 12)::int, 0) as timeline, case when e ->> 5 is null then '{"version":1}' else e ->> 13 end as detail,
          coalesce(e ->> 14, '[]') as codes
        from jsonb_array_elements($8::jsonb) with ordinality t(e, n)
      ), entries as (
        insert into audit_entry (jurisdiction, subject_id, seq, entry, hash)
        select $1, id, 1, entry, sha256(entry) from (
          select r.id, audit_text($12::text, r.detail, encode(r.key, 'hex'), $13::text, 'record', $14::text, $15::text, r.codes, 1,
            r.id::text, timeline.steps) as entry
          from r join timeline on timeline.number = r.timeline offset 0) texts
        returning subject_id, hash
      ), versions as (
        insert into canonical_record (jurisdiction, profile, natural_key, version, idempotency_key, record_id,
          batch_received_at, batch_id, file_number, item, content)
        select $1, $6, natural_key, version, key, id,
          (select received_at from batch where jurisdiction = $1 and id = $2), $2, $4, item, content
        from r where is_version
      ), records as (
        insert into record (jurisdiction, batch_id, file_id, file_number, chunk_id, profile, manifest, id, item, line, state,
          idempotency_key, natural_key, version, duplicate_of, confidence, reasons, fields, content, diagnostic, audit_seq, audit_hash)
        select $1, $2, $3, $4, $5, $6, $7, r.id, item, line, state, key, natural_key, version, duplicate_of, confidence, reasons,
          fields, case when state <> 'accepted' then content end, diagnostic, 1, entries.hash
        from r join entries on entries.subject_id = r.id
      )
      select subject_id, hash from entries`,
    values: valuesOf(owner, rows, audit)
  })
  return written.map(row => ({ subjectId: row.subject_id, hash: row.hash }))
}
