import type { Queryable, Tx } from '../pool.ts'

export interface StoredCheckpoint {
  readonly size: number
  readonly root: Buffer
  /** C2SP signed note. */
  readonly note: string
  /** RFC 3339 in UTC. */
  readonly createdAt: string
}

const COLUMNS = `size, root, note, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt"`

/** The newest checkpoint of a jurisdiction. */
export async function latestCheckpoint(
  db: Pick<Queryable, 'query'>,
  jurisdiction: string
): Promise<StoredCheckpoint | undefined> {
  const { rows } = await db.query<StoredCheckpoint>(
    `select ${COLUMNS} from audit_checkpoint where jurisdiction = $1 order by size desc limit 1`,
    [jurisdiction]
  )
  return rows[0]
}

/** A page of the checkpoints of a jurisdiction, the newest first. */
export async function listCheckpoints(
  db: Queryable,
  jurisdiction: string,
  page: { readonly before: number | null; readonly limit: number }
): Promise<StoredCheckpoint[]> {
  const { rows } = await db.query<StoredCheckpoint>(
    `select ${COLUMNS} from audit_checkpoint where jurisdiction = $1 and ($2::bigint is null or size < $2)
     order by size desc limit $3`,
    [jurisdiction, page.before, page.limit]
  )
  return rows
}

/** The checkpoint of exactly this size. */
export async function getCheckpoint(
  db: Queryable,
  jurisdiction: string,
  size: number
): Promise<StoredCheckpoint | undefined> {
  const { rows } = await db.query<StoredCheckpoint>(
    `select ${COLUMNS} from audit_checkpoint where jurisdiction = $1 and size = $2`,
    [jurisdiction, size]
  )
  return rows[0]
}

/** Writes a new checkpoint. */
export async function insertCheckpoint(
  tx: Tx,
  jurisdiction: string,
  checkpoint: Pick<StoredCheckpoint, 'size' | 'root' | 'note'>
): Promise<void> {
  await tx.query('insert into audit_checkpoint (jurisdiction, size, root, note) values ($1, $2, $3, $4)', [
    jurisdiction,
    checkpoint.size,
    checkpoint.root,
    checkpoint.note
  ])
}
