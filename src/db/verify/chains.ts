import type { Tx } from '../pool.ts'
import { streamRows } from './snapshot.ts'

/** An audit entry as stored. */
export interface StoredEntry {
  readonly subjectId: string
  readonly seq: number
  readonly entry: Buffer
  readonly hash: Buffer
}

/** A jurisdiction's entries, subject by subject in id order, each chain from its beginning. */
export function streamEntries(tx: Tx, jurisdiction: string): AsyncGenerator<StoredEntry> {
  return streamRows<StoredEntry>(
    tx,
    `select subject_id as "subjectId", seq, entry, hash from audit_trail
     where jurisdiction = $1 order by jurisdiction, subject_id, seq`,
    [jurisdiction]
  )
}

/** What a batch, file or record row says that its chain must agree with. */
export interface ChainSubject {
  readonly id: string
  readonly kind: 'batch' | 'file' | 'record' | 'export'
  readonly state: string
  readonly batchId: string
  readonly auditSeq: number
  readonly auditHash: Buffer
  /** Hash of the batch's first entry; null when there is no such batch. */
  readonly receivedHash: Buffer | null
  /** Of a record: its idempotency key; of a file: its sha-256. */
  readonly digest: Buffer | null
  /** Of a record: the version of content it brought. */
  readonly version: number | null
  /** Of a batch: its records; of a file: its bytes. */
  readonly amount: number | null
  /** Of a batch: its files as they were sent. */
  readonly files: number | null
  /**
   * Of a record: what the entries that changed it must have committed to, revision by revision, computed from the rows as
   * they are. Null without a salt.
   */
  readonly contents: readonly Buffer[] | null
}

/** A jurisdiction's batches, files and records in one stream, in id order. */
export function streamSubjects(tx: Tx, jurisdiction: string): AsyncGenerator<ChainSubject> {
  return streamRows<ChainSubject>(
    tx,
    `select b.id, 'batch' as kind, b.state, b.id as "batchId", b.audit_seq as "auditSeq", b.audit_hash as "auditHash",
       b.received_hash as "receivedHash", null::bytea as digest, null::int as version,
       (select coalesce(sum(record_count), 0)::bigint from chunk c where c.jurisdiction = $1 and c.batch_id = b.id) as amount,
       (select count(*) from file f where f.jurisdiction = $1 and f.batch_id = b.id and f.archive_id is null) as files,
       null::bytea[] as contents
     from batch b where b.jurisdiction = $1
     union all
     select f.id, 'file', f.state, f.batch_id, f.audit_seq, f.audit_hash, b.received_hash, f.sha256, null, f.size, null, null
     from file f left join batch b on b.jurisdiction = $1 and b.id = f.batch_id
     where f.jurisdiction = $1
     union all
     select r.id, 'record', r.state, r.batch_id, r.audit_seq, r.audit_hash, b.received_hash, r.idempotency_key, v.version, null, null,
       case when r.salt is not null then array(
         select commitment_of(r.salt, record_text(p.revision, p.state, r.item, r.line, p.natural_key, p.confidence, p.content, p.fields,
           p.reasons, p.decision))
         from record_revision p where r.revision > 1 and p.jurisdiction = $1 and p.record_id = r.id order by p.revision
       ) || m.content end
     from record r
     join record_commitment m on m.jurisdiction = $1 and m.id = r.id
     left join batch b on b.jurisdiction = $1 and b.id = r.batch_id
     left join canonical_record v on v.jurisdiction = $1 and v.profile = r.profile and v.natural_key = r.natural_key
       and v.version = r.version and v.record_id = r.id
     where r.jurisdiction = $1
     union all
     select x.id, 'export', 'downloaded', x.id, x.audit_seq, x.audit_hash, null, null, null, null, null, null
     from audit_export x where x.jurisdiction = $1
     order by id`,
    [jurisdiction]
  )
}

/** A commit row with the hashes of the entries that name it, in the order of their subjects' ids. */
export interface CommitLeaves {
  /** What the entries name; of no use as an id when there is no commit row. */
  readonly id: string
  /** Null when no commit row has this id. */
  readonly entries: number | null
  readonly root: Buffer | null
  readonly leaves: number
  readonly hashes: Buffer | null
  /** Subject of the first of the entries; null when there is none. */
  readonly subject: string | null
}

/**
 * Commit rows matched with the entries that name them. The id is cut out of the entry's bytes, where canonical form puts
 * it before anything a submitter could influence, since bytes that were tampered with may not be JSON at all.
 */
export function streamCommits(tx: Tx, jurisdiction: string): AsyncGenerator<CommitLeaves> {
  return streamRows<CommitLeaves>(
    tx,
    `with named as (
       select encode(substring(entry from position('"commit":"'::bytea in entry) + 10 for 36), 'escape') collate "C" as commit_id,
         subject_id, seq, hash
       from audit_trail where jurisdiction = $1
     ), grouped as (
       select commit_id, count(*) as leaves, string_agg(hash, ''::bytea order by subject_id, seq) as hashes,
         min(subject_id::text) as subject
       from named group by commit_id
     )
     select coalesce(c.id::text, g.commit_id) as id, c.entries, c.root, coalesce(g.leaves, 0) as leaves, g.hashes, g.subject
     from grouped g
     full join (select id, entries, root from audit_commit where jurisdiction = $1) c on c.id::text collate "C" = g.commit_id
     order by 1`,
    [jurisdiction]
  )
}
