import type { Json } from '../model/json.ts'
import type { Queryable, Tx } from './pool.ts'

export const FILE_KINDS = ['data', 'document', 'archive', 'unsupported'] as const
export type FileKind = (typeof FILE_KINDS)[number]

export interface NewFile {
  readonly id: string
  /** Its place in the batch, from 1. */
  readonly number: number
  readonly state: 'received' | 'splitting' | 'split'
  readonly filename: string
  readonly declaredType: string | null
  readonly mediaType: string
  readonly kind: FileKind
  readonly size: number
  readonly sha256: Buffer
  readonly payloadUri: string
  readonly format: Json
  readonly progress: Json
  /** 1 when a split job is enqueued in the same transaction, else 0. */
  readonly generation: number
  readonly auditHash: Buffer
  /** The file of the same batch that it was taken out of. */
  readonly archiveId: string | null
}

/** Adds files of a batch in one statement, each with the hash of its first audit entry. */
export async function insertFiles(
  tx: Tx,
  owner: { readonly jurisdiction: string; readonly batchId: string },
  files: readonly NewFile[]
): Promise<void> {
  const rows = files.map(file => ({
    ...file,
    sha256: file.sha256.toString('hex'),
    auditHash: file.auditHash.toString('hex')
  }))
  await tx.query(
    `insert into file (jurisdiction, batch_id, id, number, state, filename, declared_type, media_type, kind, size, sha256,
       payload_uri, format, progress, generation, archive_id, audit_seq, audit_hash)
     select $1, $2, (e ->> 'id')::uuid, (e ->> 'number')::int, e ->> 'state', e ->> 'filename', e ->> 'declaredType',
       e ->> 'mediaType', e ->> 'kind', (e ->> 'size')::bigint, decode(e ->> 'sha256', 'hex'), e ->> 'payloadUri',
       nullif(e -> 'format', 'null'), nullif(e -> 'progress', 'null'), (e ->> 'generation')::int,
       (e ->> 'archiveId')::uuid, 1, decode(e ->> 'auditHash', 'hex')
     from jsonb_array_elements($3::jsonb) e`,
    [owner.jurisdiction, owner.batchId, JSON.stringify(rows)]
  )
}

/**
 * Which of these ids are files that exist, each with the address of what was unpacked from its payload, if anything; the
 * sweeper removes what belongs to none.
 */
export async function selectKnownFiles(
  db: Queryable,
  jurisdiction: string,
  ids: readonly string[]
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await db.query<{ id: string; unpacked: string | null }>(
    `select id, coalesce(format -> 'unpacked', progress -> 'unpacked') ->> 'uri' as unpacked
     from file where jurisdiction = $1 and id = any($2::uuid[])`,
    [jurisdiction, ids]
  )
  return new Map(rows.map(row => [row.id, row.unpacked]))
}

export interface FileView {
  readonly id: string
  readonly number: number
  readonly filename: string
  readonly mediaType: string
  readonly kind: FileKind
  readonly state: string
  readonly size: number
  readonly sha256: string
  /** How it is read; null until a data file is split, and for documents. */
  readonly format: Json
  /** The file of the same batch that it was taken out of. */
  readonly archiveId: string | null
}

/** Files of a batch in their order. */
export async function listFilesOfBatch(db: Queryable, jurisdiction: string, batchId: string): Promise<FileView[]> {
  const { rows } = await db.query<FileView>(
    `select id, number, filename, media_type as "mediaType", kind, state, size, encode(sha256, 'hex') as sha256, format,
       archive_id as "archiveId"
     from file where jurisdiction = $1 and batch_id = $2 order by number`,
    [jurisdiction, batchId]
  )
  return rows
}
