import type { Pool } from '../../../src/db/pool.ts'
import { newId } from '../../../src/model/ids.ts'

/** Commit rows as transactions write them, without their entries. */
export async function insertCommits(pool: Pool, jurisdiction: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId())
  await pool.query(
    `insert into audit_commit (jurisdiction, id, entries, root)
     select $1, id, 1, sha256(convert_to(id::text, 'UTF8')) from unnest($2::uuid[]) id`,
    [jurisdiction, ids]
  )
}

/** The places that are taken in a jurisdiction's log. */
export async function placesOf(
  pool: Pool,
  jurisdiction: string
): Promise<{ readonly count: number; readonly first: number; readonly last: number }> {
  const { rows } = await pool.query<{ count: number; first: number; last: number }>(
    `select count(leaf_index) as count, min(leaf_index) as first, max(leaf_index) as last from audit_commit
     where jurisdiction = $1`,
    [jurisdiction]
  )
  return rows[0] ?? { count: 0, first: 0, last: 0 }
}
