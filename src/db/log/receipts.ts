import type { Tx } from '../pool.ts'
import { streamRows } from '../verify/snapshot.ts'
import { COMMITTED_AT } from './commits.ts'

/** What a receipt says of a batch beside its records. */
export interface ReceiptBatch {
  readonly id: string
  readonly jurisdiction: string
  readonly profile: string
  readonly source: string | null
  readonly state: string
  /** `key:<id>` of the principal. */
  readonly submitter: string
  readonly receivedAt: string
  readonly finishedAt: string
  readonly digest: string
}

/** A file as it was declared and received. */
export interface ReceiptFile {
  readonly id: string
  readonly number: number
  readonly filename: string
  readonly declaredType: string | null
  readonly mediaType: string
  readonly size: number
  readonly sha256: string
  readonly archiveId: string | null
}

/** Where a record stands, and what its row says that its entries may not. */
export interface ReceiptRecord {
  readonly id: string
  readonly fileNumber: number
  readonly item: number
  readonly line: number | null
  readonly chunkId: string
  readonly duplicateOf: string | null
  readonly auditSeq: number
}

export interface ReceiptEntry {
  readonly subjectId: string
  readonly seq: number
  readonly entry: Buffer
  readonly hash: Buffer
}

const time = (column: string): string => COMMITTED_AT.replace('committed_at', column)

/** A batch that has ended; undefined while it goes on, and for a dry run. */
export async function readReceiptBatch(
  tx: Pick<Tx, 'query'>,
  jurisdiction: string,
  id: string
): Promise<ReceiptBatch | undefined> {
  const { rows } = await tx.query<ReceiptBatch>(
    `select id, jurisdiction, profile, source, state, submitter, ${time('received_at')} as "receivedAt",
       ${time('finished_at')} as "finishedAt", encode(digest, 'hex') as digest
     from batch where jurisdiction = $1 and id = $2 and finished_at is not null and not options @> '{"dry_run": true}'`,
    [jurisdiction, id]
  )
  return rows[0]
}

/** Whether a commit up to the end of this batch is in no log yet. */
export async function hasUnsealed(tx: Pick<Tx, 'query'>, jurisdiction: string, batchId: string): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(
    `select exists (select 1 from audit_commit c join batch b on b.jurisdiction = $1 and b.id = $2
       where c.jurisdiction = $1 and c.leaf_index is null and c.committed_at <= b.finished_at) as found`,
    [jurisdiction, batchId]
  )
  return rows[0]?.found === true
}

/** The files of a batch in order. */
export function streamReceiptFiles(tx: Tx, jurisdiction: string, batchId: string): AsyncGenerator<ReceiptFile> {
  return streamRows<ReceiptFile>(
    tx,
    `select id, number, filename, declared_type as "declaredType", media_type as "mediaType", size,
       encode(sha256, 'hex') as sha256, archive_id as "archiveId"
     from file where jurisdiction = $1 and batch_id = $2 order by jurisdiction, batch_id, number`,
    [jurisdiction, batchId]
  )
}

/** The records of a batch in order of file and row. */
export function streamReceiptRecords(tx: Tx, jurisdiction: string, batchId: string): AsyncGenerator<ReceiptRecord> {
  return streamRows<ReceiptRecord>(
    tx,
    `select id, file_number as "fileNumber", item, line, chunk_id as "chunkId", duplicate_of as "duplicateOf",
       audit_seq as "auditSeq"
     from record where jurisdiction = $1 and batch_id = $2 order by jurisdiction, batch_id, file_number, item`,
    [jurisdiction, batchId]
  )
}

/** All entries of some subjects, chain by chain; of records, those that stand in the pages of these chunks too. */
export async function readEntriesOf(
  tx: Pick<Tx, 'query'>,
  jurisdiction: string,
  subjectIds: readonly string[],
  chunkIds: readonly string[]
): Promise<ReceiptEntry[]> {
  const { rows } = await tx.query<ReceiptEntry>(
    `select subject_id as "subjectId", seq, entry, hash from audit_entry
     where jurisdiction = $1 and subject_id = any($2::uuid[])
     union all
     select s.subject_id, 1, t.entry, sha256(t.entry)
     from audit_page p
     cross join lateral unnest(p.subjects, p.keys, p.codes, p.contents) s(subject_id, key, codes, content)
     cross join lateral (select audit_page_text(p.frame, s.key, s.codes, s.subject_id, s.content) as entry) t
     where p.jurisdiction = $1 and p.chunk_id = any($3::uuid[]) and s.subject_id = any($2::uuid[])
     order by 1, 2`,
    [jurisdiction, subjectIds, chunkIds]
  )
  return rows
}
