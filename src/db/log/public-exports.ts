import type { Json } from '../../model/json.ts'
import type { Queryable, Tx } from '../pool.ts'

/** What an export for a public-records request is about. */
export interface PublicScope {
  readonly jurisdiction: string
  readonly batch: string | null
  readonly profile: string | null
  /** Batches received at this time or later, and before that one. */
  readonly from: string | null
  readonly to: string | null
}

/** Batches of the scope that have ended, in the order of their ids, after one of them; dry runs are none. */
export async function listPublicBatches(
  tx: Pick<Tx, 'query'>,
  { jurisdiction, batch, profile, from, to }: PublicScope,
  page: { readonly after: string | null; readonly limit: number }
): Promise<{ readonly id: string; readonly profile: string }[]> {
  const { rows } = await tx.query<{ id: string; profile: string }>(
    `select id, profile from batch
     where jurisdiction = $1 and finished_at is not null and not options @> '{"dry_run": true}'
       and ($2::uuid is null or id = $2) and ($3::text is null or profile = $3)
       and ($4::timestamptz is null or received_at >= $4) and ($5::timestamptz is null or received_at < $5)
       and ($6::uuid is null or id > $6) order by id limit $7`,
    [jurisdiction, batch, profile, from, to, page.after, page.limit]
  )
  return rows
}

/** The salts of records in hex, by id; those that were erased, or are older than salts, have none. */
export async function readSalts(
  tx: Pick<Queryable, 'query'>,
  jurisdiction: string,
  ids: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await tx.query<{ id: string; salt: string }>(
    `select id, encode(salt, 'hex') as salt from record where jurisdiction = $1 and id = any($2::uuid[]) and salt is not null`,
    [jurisdiction, ids]
  )
  return new Map(rows.map(row => [row.id, row.salt]))
}

/** Notes what an export is about, or what it released and the end of its chain. */
export async function setPublicExport(
  tx: Tx,
  jurisdiction: string,
  id: string,
  told: { readonly detail: Json; readonly seq: number; readonly hash: Buffer }
): Promise<void> {
  await tx.query(
    `update audit_export set public = $3, audit_seq = $4, audit_hash = $5 where jurisdiction = $1 and id = $2`,
    [jurisdiction, id, JSON.stringify(told.detail), told.seq, told.hash]
  )
}

/** Whether there is a public export of this id; of which classes it showed fields. */
export async function readPublicExport(
  db: Queryable,
  jurisdiction: string,
  id: string
): Promise<{ readonly shown: readonly string[] } | undefined> {
  const { rows } = await db.query<{ shown: string[] }>(
    `select public -> 'shown' as shown from audit_export where jurisdiction = $1 and id = $2 and public is not null`,
    [jurisdiction, id]
  )
  return rows[0]
}
