import type { Queryable } from '../pool.ts'
import { COMMITTED_AT, type LogCommit } from './commits.ts'

/** A commit and its place in the log. */
export interface PlacedCommit extends LogCommit {
  /** Null while it is not sealed. */
  readonly leafIndex: number | null
}

/** An entry with the commit that it names. */
export interface CommitEntry {
  readonly commitId: string
  readonly subjectId: string
  readonly seq: number
  readonly entry: Buffer
  readonly hash: Buffer
}

const COLUMNS = `id, entries, root, leaf_index as "leafIndex", ${COMMITTED_AT} as "committedAt"`

/** Commits by their ids, in no promised order. */
export async function readCommits(
  db: Pick<Queryable, 'query'>,
  jurisdiction: string,
  ids: readonly string[]
): Promise<PlacedCommit[]> {
  const { rows } = await db.query<PlacedCommit>(
    `select ${COLUMNS} from audit_commit where jurisdiction = $1 and id = any($2::uuid[])`,
    [jurisdiction, ids]
  )
  return rows
}

/** All entries of some commits, wherever they are stored, in the order of commits, subjects and numbers. */
export async function readCommitEntries(
  db: Pick<Queryable, 'query'>,
  jurisdiction: string,
  ids: readonly string[]
): Promise<CommitEntry[]> {
  const { rows } = await db.query<CommitEntry>(
    `select audit_commit_of(entry) as "commitId", subject_id as "subjectId", seq, entry, hash from audit_entry
     where jurisdiction = $1 and audit_commit_of(entry) = any($2::text[])
     union all
     select audit_commit_of_page(p.frame), s.subject_id, 1, t.entry, sha256(t.entry)
     from audit_page p
     cross join lateral unnest(p.subjects, p.keys, p.codes, p.contents) s(subject_id, key, codes, content)
     cross join lateral (select audit_page_text(p.frame, s.key, s.codes, s.subject_id, s.content) as entry) t
     where p.jurisdiction = $1 and audit_commit_of_page(p.frame) = any($2::text[])
     order by 1, 2, 3`,
    [jurisdiction, ids]
  )
  return rows
}

/** Where a page of commits ended. */
export interface CommitPlace {
  readonly at: string
  readonly id: string
}

/** A page of commits by their times, the newest first. */
export async function listCommits(
  db: Queryable,
  jurisdiction: string,
  page: {
    readonly from: string | null
    readonly to: string | null
    readonly before: CommitPlace | null
    readonly limit: number
    /** Whether the commit at the place itself comes again. */
    readonly withPlace: boolean
  }
): Promise<PlacedCommit[]> {
  const { rows } = await db.query<PlacedCommit>(
    `select ${COLUMNS} from audit_commit
     where jurisdiction = $1 and ($2::timestamptz is null or committed_at >= $2) and ($3::timestamptz is null or committed_at < $3)
       and ($4::timestamptz is null or (committed_at, id) < ($4, $5::uuid)
         or ($7 and (committed_at, id) = ($4, $5::uuid)))
     order by committed_at desc, id desc limit $6`,
    [jurisdiction, page.from, page.to, page.before?.at ?? null, page.before?.id ?? null, page.limit, page.withPlace]
  )
  return rows
}
