import type { Json } from '../../model/json.ts'
import type { Reason } from '../../model/reasons.ts'
import type { RecordState } from '../../model/states.ts'
import type { Tx } from '../pool.ts'

export interface RecordOwner {
  readonly jurisdiction: string
  readonly batchId: string
  readonly fileId: string
  readonly fileNumber: number
  readonly chunkId: string
  readonly profile: string
  readonly manifest: number
}

/** A record as it becomes durable. */
export interface RecordRow {
  readonly id: string
  /** Its number in the file from 1; 0 for a document or a file that could not be split. */
  readonly item: number
  readonly line: number | null
  readonly state: RecordState
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
  readonly auditHash: string
}

const toElement = (row: RecordRow): unknown[] => [
  row.id,
  row.item,
  row.line,
  row.state,
  row.idempotencyKey,
  row.naturalKey,
  row.version,
  row.duplicateOf,
  row.confidence,
  row.reasons,
  row.fields,
  row.content,
  row.isVersion,
  row.diagnostic,
  row.auditHash
]

/** Writes a set of new records and the versions of content they bring, in one statement over one parameter. */
export async function insertRecords(tx: Tx, owner: RecordOwner, rows: readonly RecordRow[]): Promise<void> {
  await tx.query({
    name: 'insert-records',
    text: `with r as materialized (
        select (e ->> 0)::uuid as id, (e ->> 1)::int as item, (e ->> 2)::int as line, e ->> 3 as state,
          decode(e ->> 4, 'hex') as key, e ->> 5 as natural_key, (e ->> 6)::int as version, (e ->> 7)::uuid as duplicate_of,
          (e ->> 8)::real as confidence, e -> 9 as reasons, e -> 10 as fields, nullif(e -> 11, 'null') as content,
          (e ->> 12)::boolean as is_version, nullif(e -> 13, 'null') as diagnostic, decode(e ->> 14, 'hex') as audit_hash
        from jsonb_array_elements($8::jsonb) e
      ), versions as (
        insert into canonical_record (jurisdiction, profile, natural_key, version, idempotency_key, record_id,
          batch_received_at, batch_id, file_number, item, content)
        select $1, $6, natural_key, version, key, id,
          (select received_at from batch where jurisdiction = $1 and id = $2), $2, $4, item, content
        from r where is_version
      )
      insert into record (jurisdiction, batch_id, file_id, file_number, chunk_id, profile, manifest, id, item, line, state,
        idempotency_key, natural_key, version, duplicate_of, confidence, reasons, fields, content, diagnostic, audit_seq, audit_hash)
      select $1, $2, $3, $4, $5, $6, $7, id, item, line, state, key, natural_key, version, duplicate_of, confidence, reasons,
        fields, case when state <> 'accepted' then content end, diagnostic, 1, audit_hash
      from r`,
    values: [
      owner.jurisdiction,
      owner.batchId,
      owner.fileId,
      owner.fileNumber,
      owner.chunkId,
      owner.profile,
      owner.manifest,
      JSON.stringify(rows.map(toElement))
    ]
  } as never)
}
