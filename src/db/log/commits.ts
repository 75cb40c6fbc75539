import type { Tx } from '../pool.ts'

/** A commit as its leaf tells of it. */
export interface LogCommit {
  readonly id: string
  readonly entries: number
  readonly root: Buffer
  /** RFC 3339 in UTC with microseconds. */
  readonly committedAt: string
}

/** The time of a commit in the form of all times of the audit trail. */
export const COMMITTED_AT = `to_char(committed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const COLUMNS = `id, entries, root, ${COMMITTED_AT} as "committedAt"`

/**
 * Takes the right to seal a jurisdiction until the transaction ends; false when another has it, who then does the work.
 */
export async function trySealLock(tx: Tx, jurisdiction: string): Promise<boolean> {
  const { rows } = await tx.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('docket-seal:' || $1, 0)) as taken`,
    [jurisdiction]
  )
  return rows[0]?.taken === true
}

/** Jurisdictions with commits that are in no log yet, by one step in the index for each. */
export async function listUnsealed(tx: Pick<Tx, 'query'>): Promise<string[]> {
  const { rows } = await tx.query<{ jurisdiction: string }>(
    `with recursive found as (
       (select jurisdiction from audit_commit where leaf_index is null order by jurisdiction limit 1)
       union all
       select (select c.jurisdiction from audit_commit c where c.leaf_index is null and c.jurisdiction > f.jurisdiction
         order by c.jurisdiction limit 1)
       from found f where f.jurisdiction is not null
     )
     select jurisdiction from found where jurisdiction is not null`
  )
  return rows.map(row => row.jurisdiction)
}

/** Commits that can be seen and are in no log yet, whatever their ids: those of a transaction that ended late too. */
export async function readUnsealed(tx: Tx, jurisdiction: string, limit: number): Promise<LogCommit[]> {
  const { rows } = await tx.query<LogCommit>(
    `select ${COLUMNS} from audit_commit where jurisdiction = $1 and leaf_index is null order by id limit $2`,
    [jurisdiction, limit]
  )
  return rows
}

/** Commits by their places in the log, from `from` up to and without `to`. */
export async function readLeaves(
  db: Pick<Tx, 'query'>,
  jurisdiction: string,
  from: number,
  to: number
): Promise<(LogCommit & { readonly leafIndex: number })[]> {
  const { rows } = await db.query<LogCommit & { leafIndex: number }>(
    `select leaf_index as "leafIndex", ${COLUMNS} from audit_commit
     where jurisdiction = $1 and leaf_index >= $2 and leaf_index < $3 order by leaf_index`,
    [jurisdiction, from, to]
  )
  return rows
}

/** Gives commits the places from `first` on, in the order of `ids`. Answers how many had none yet. */
export async function setLeafIndexes(
  tx: Tx,
  jurisdiction: string,
  ids: readonly string[],
  first: number
): Promise<number> {
  const { rowCount } = await tx.query(
    `update audit_commit c set leaf_index = $3::bigint + o.place - 1
     from unnest($2::uuid[]) with ordinality o(id, place)
     where c.jurisdiction = $1 and c.id = o.id and c.leaf_index is null`,
    [jurisdiction, ids, first]
  )
  return rowCount ?? 0
}
