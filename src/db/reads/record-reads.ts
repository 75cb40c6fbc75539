import type { Json } from '../../model/json.ts'
import type { Reason } from '../../model/reasons.ts'
import type { RecordState } from '../../model/states.ts'
import type { Queryable } from '../pool.ts'

/** A record as stored, with what its file and its content's version add to it. */
export interface StoredRecord {
  readonly id: string
  readonly jurisdiction: string
  readonly batchId: string
  readonly fileId: string
  readonly fileNumber: number
  readonly filename: string
  /** 0 for a document. */
  readonly item: number
  readonly line: number | null
  readonly state: RecordState
  readonly profile: string
  readonly manifestVersion: string
  readonly idempotencyKey: string
  readonly naturalKey: string | null
  readonly version: number | null
  readonly duplicateOf: string | null
  readonly replacedBy: string | null
  readonly confidence: number | null
  readonly reasons: readonly Reason[]
  readonly fields: { readonly [name: string]: { readonly [member: string]: Json } }
  readonly content: { readonly [name: string]: Json } | null
  readonly diagnostic: Json
  /** What a person decided about it last; null when nobody has. */
  readonly decision: { readonly [name: string]: Json } | null
  readonly revision: number
  readonly createdAt: Date
  /** The same with microseconds, for cursors. */
  readonly createdAtText: string
  readonly updatedAt: Date
}

export interface RecordFilter {
  readonly jurisdiction: string
  readonly batchId: string
  readonly state: RecordState | null
  readonly row: number | null
  readonly line: number | null
  /** Name of a file. */
  readonly file: string | null
  readonly reason: string | null
  /** Place of the last record of the page before. */
  readonly after: { readonly fileNumber: number; readonly item: number } | null
  readonly limit: number
}

/** Records of a batch in order of file and row. The order never changes, so pages hold under writes. */
export async function listRecordsOfBatch(db: Queryable, filter: RecordFilter): Promise<StoredRecord[]> {
  const { rows } = await db.query<StoredRecord>(
    `select r.id, r.jurisdiction, r.batch_id as "batchId", r.file_id as "fileId", r.file_number as "fileNumber",
       f.filename, r.item, r.line, r.state, r.profile, m.version as "manifestVersion",
       encode(r.idempotency_key, 'hex') as "idempotencyKey", r.natural_key as "naturalKey", r.version,
       r.duplicate_of as "duplicateOf", r.replaced_by as "replacedBy", r.confidence, r.reasons, r.fields,
       coalesce(r.content, c.content) as content, r.diagnostic, r.decision, r.revision, r.created_at as "createdAt",
       to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAtText",
       r.updated_at as "updatedAt"
     from record r
     join file f on f.jurisdiction = r.jurisdiction and f.id = r.file_id
     join manifest m on m.number = r.manifest
     left join canonical_record c on c.jurisdiction = r.jurisdiction and c.profile = r.profile
       and c.natural_key = r.natural_key and c.version = r.version
     where r.jurisdiction = $1 and r.batch_id = $2
       and ($3::int is null or (r.file_number, r.item) > ($3, $4::int))
       and ($5::text is null or r.state = $5) and ($6::int is null or r.item = $6)
       and ($7::int is null or r.line = $7) and ($8::text is null or f.filename = $8)
       and ($9::text is null or r.reasons @> jsonb_build_array(jsonb_build_object('code', $9::text)))
     order by r.file_number, r.item limit $10`,
    [
      filter.jurisdiction,
      filter.batchId,
      filter.after?.fileNumber ?? null,
      filter.after?.item ?? null,
      filter.state,
      filter.row,
      filter.line,
      filter.file,
      filter.reason,
      filter.limit
    ]
  )
  return rows
}

/** One record; undefined when there is none in these jurisdictions; null means all of them. */
export async function getRecord(
  db: Queryable,
  id: string,
  jurisdictions: readonly string[] | null
): Promise<StoredRecord | undefined> {
  const { rows } = await db.query<StoredRecord>(
    `select r.id, r.jurisdiction, r.batch_id as "batchId", r.file_id as "fileId", r.file_number as "fileNumber",
       f.filename, r.item, r.line, r.state, r.profile, m.version as "manifestVersion",
       encode(r.idempotency_key, 'hex') as "idempotencyKey", r.natural_key as "naturalKey", r.version,
       r.duplicate_of as "duplicateOf", r.replaced_by as "replacedBy", r.confidence, r.reasons, r.fields,
       coalesce(r.content, c.content) as content, r.diagnostic, r.decision, r.revision, r.created_at as "createdAt",
       to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAtText",
       r.updated_at as "updatedAt"
     from record r
     join file f on f.jurisdiction = r.jurisdiction and f.id = r.file_id
     join manifest m on m.number = r.manifest
     left join canonical_record c on c.jurisdiction = r.jurisdiction and c.profile = r.profile
       and c.natural_key = r.natural_key and c.version = r.version
     where r.id = $1 and r.jurisdiction = any(coalesce($2::text[], array(select code from jurisdiction)))`,
    [id, jurisdictions]
  )
  return rows[0]
}

/** How files were read, by file id: which columns they have and what these are. */
export async function getFileFormats(
  db: Queryable,
  jurisdictions: readonly string[],
  fileIds: readonly string[]
): Promise<ReadonlyMap<string, Json>> {
  const { rows } = await db.query<{ id: string; format: Json }>(
    'select id, format from file where jurisdiction = any($1) and id = any($2::uuid[])',
    [jurisdictions, fileIds]
  )
  return new Map(rows.map(row => [row.id, row.format]))
}

export interface RecordPayload {
  readonly filename: string
  readonly mediaType: string
  readonly size: number
  readonly payloadUri: string
}

/** Where the file of a record lies. */
export async function getPayloadOfRecord(
  db: Queryable,
  jurisdiction: string,
  fileId: string
): Promise<RecordPayload | undefined> {
  const { rows } = await db.query<RecordPayload>(
    `select filename, media_type as "mediaType", size, payload_uri as "payloadUri"
     from file where jurisdiction = $1 and id = $2`,
    [jurisdiction, fileId]
  )
  return rows[0]
}
