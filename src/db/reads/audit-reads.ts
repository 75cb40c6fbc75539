import type { Queryable } from '../pool.ts'

export interface StoredEntry {
  readonly subjectId: string
  readonly seq: number
  /** The very bytes that were hashed. */
  readonly entry: Buffer
  readonly hash: string
}

/** The audit chain of one subject, in order. */
export async function listEntriesOfSubject(
  db: Queryable,
  jurisdiction: string,
  subjectId: string,
  page: { readonly after: number; readonly limit: number }
): Promise<StoredEntry[]> {
  const { rows } = await db.query<StoredEntry>(
    `select subject_id as "subjectId", seq, entry, encode(hash, 'hex') as hash from audit_entry
     where jurisdiction = $1 and subject_id = $2 and seq > $3 order by seq limit $4`,
    [jurisdiction, subjectId, page.after, page.limit]
  )
  return rows
}

/** The audit chains of a batch and of its files, chain by chain in the order of their ids. */
export async function listEntriesOfBatch(
  db: Queryable,
  jurisdiction: string,
  batchId: string,
  page: { readonly after: { readonly subjectId: string; readonly seq: number } | null; readonly limit: number }
): Promise<StoredEntry[]> {
  const { rows } = await db.query<StoredEntry>(
    `select e.subject_id as "subjectId", e.seq, e.entry, encode(e.hash, 'hex') as hash
     from (select $2::uuid as id union all select id from file where jurisdiction = $1 and batch_id = $2) subject
     join audit_entry e on e.jurisdiction = $1 and e.subject_id = subject.id
     where $3::uuid is null or (e.subject_id, e.seq) > ($3, $4::int)
     order by e.subject_id, e.seq limit $5`,
    [jurisdiction, batchId, page.after?.subjectId ?? null, page.after?.seq ?? null, page.limit]
  )
  return rows
}
