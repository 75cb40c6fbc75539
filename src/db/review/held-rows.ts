import type { Json } from '../../model/json.ts'
import type { Reason } from '../../model/reasons.ts'
import type { Queryable } from '../pool.ts'

/** A file of a batch in which records wait for a person. */
export interface HeldFile {
  readonly id: string
  readonly number: number
  readonly filename: string
  readonly size: number
  readonly payloadUri: string
  readonly format: Json
  /** Whether its rows can be read again from where their chunks lie in the payload. */
  readonly hasRows: boolean
}

/** Files of a batch with held records, in their order. */
export async function listHeldFiles(db: Queryable, jurisdiction: string, batchId: string): Promise<HeldFile[]> {
  const { rows } = await db.query<HeldFile>(
    `select f.id, f.number, f.filename, f.size, f.payload_uri as "payloadUri", f.format, h."hasRows"
     from file f join (
       select file_id, bool_and(kind = 'rows' and byte_start is not null) as "hasRows" from chunk
       where jurisdiction = $1 and batch_id = $2 and quarantined > 0 group by file_id
     ) h on h.file_id = f.id
     where f.jurisdiction = $1 and f.batch_id = $2 order by f.number`,
    [jurisdiction, batchId]
  )
  return rows
}

/** A chunk with held records, and how to read it again. */
export interface HeldChunk {
  readonly id: string
  readonly byteStart: number | null
  readonly byteEnd: number | null
  readonly firstItem: number
  readonly firstLine: number | null
  readonly records: number
  readonly digest: Buffer | null
}

/** Chunks of a file that hold records, in their order, behind the one that begins at `after`. */
export async function listHeldChunks(
  db: Queryable,
  file: { readonly jurisdiction: string; readonly batchId: string; readonly number: number },
  after: number,
  limit: number
): Promise<HeldChunk[]> {
  const { rows } = await db.query<HeldChunk>(
    `select id, byte_start as "byteStart", byte_end as "byteEnd", first_item as "firstItem", first_line as "firstLine",
       record_count as records, digest
     from chunk where jurisdiction = $1 and batch_id = $2 and file_number = $3 and first_item > $4 and quarantined > 0
     order by first_item limit $5`,
    [file.jurisdiction, file.batchId, file.number, after, limit]
  )
  return rows
}

/** A held record as an errors file tells of it. */
export interface HeldRow {
  /** Null for what a dry run would hold: there is no record to settle. */
  readonly id: string | null
  readonly item: number
  readonly line: number | null
  readonly reasons: readonly Reason[]
  readonly fields: Json
  readonly content: Json
}

/** Held records of a chunk that wait for a decision of their own, or would in a dry run, in their order. */
export async function listHeldRows(
  db: Queryable,
  place: { readonly jurisdiction: string; readonly batchId: string; readonly number: number },
  chunkId: string,
  items: { readonly from: number; readonly to: number }
): Promise<HeldRow[]> {
  const { rows } = await db.query<HeldRow>(
    `select id, item, line, reasons, fields, content from record
     where jurisdiction = $1 and batch_id = $2 and file_number = $3 and item between $5 and $6 and chunk_id = $4
       and state = 'quarantined' and duplicate_of is null
     union all
     select null, item, line, reasons, fields, content from dry_run_record
     where jurisdiction = $1 and batch_id = $2 and file_number = $3 and item between $5 and $6 and chunk_id = $4
       and state = 'quarantined' and duplicate_of is null
     order by item`,
    [place.jurisdiction, place.batchId, place.number, chunkId, items.from, items.to]
  )
  return rows
}
