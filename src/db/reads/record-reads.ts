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
  /** `document` for files with pages. */
  readonly kind: string
  readonly size: number
  readonly sha256: Buffer
  readonly payloadUri: string
  readonly removedAt: Date | null
}

/** Where the file of a record lies. */
export async function getPayloadOfRecord(
  db: Queryable,
  jurisdiction: string,
  fileId: string
): Promise<RecordPayload | undefined> {
  const { rows } = await db.query<RecordPayload>(
    `select filename, media_type as "mediaType", kind, size, sha256, payload_uri as "payloadUri",
       payload_removed_at as "removedAt"
     from file where jurisdiction = $1 and id = $2`,
    [jurisdiction, fileId]
  )
  return rows[0]
}
