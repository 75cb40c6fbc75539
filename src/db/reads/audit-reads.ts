import type { Queryable } from '../pool.ts'

export interface StoredEntry {
  readonly subjectId: string
  readonly seq: number
  /** The very bytes that were hashed. */
  readonly entry: Buffer
  readonly hash: string
}

/** The audit chain of one subject, in order. Of a record, its first entry may stand in the page of its chunk. */
export async function listEntriesOfSubject(
  db: Queryable,
  jurisdiction: string,
  subjectId: string,
  page: { readonly after: number; readonly limit: number }
): Promise<StoredEntry[]> {
  const { rows } = await db.query<StoredEntry>(
    `select "subjectId", seq, entry, encode(hash, 'hex') as hash from (
       select subject_id as "subjectId", seq, entry, hash from audit_entry where jurisdiction = $1 and subject_id = $2 and seq > $3
       union all
       select r.id, 1, t.entry, sha256(t.entry)
       from record r
       join audit_page p on p.jurisdiction = $1 and p.chunk_id = r.chunk_id
       cross join lateral unnest(p.subjects, p.keys, p.codes, p.contents) s(subject_id, key, codes, content)
       cross join lateral (select audit_page_text(p.frame, s.key, s.codes, s.subject_id, s.content) as entry) t
       where r.jurisdiction = $1 and r.id = $2 and s.subject_id = $2 and $3 < 1
     ) entries order by seq limit $4`,
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
