import type { Queryable } from './pool.ts'

/** The number of a manifest version, registered at its first use. */
export async function ensureManifest(db: Queryable, version: string, profile: string): Promise<number> {
  const found = await db.query<{ number: number }>('select number from manifest where version = $1', [version])
  if (found.rows[0]) return found.rows[0].number
  const { rows } = await db.query<{ number: number }>(
    `insert into manifest (version, profile) values ($1, $2)
     on conflict (version) do update set profile = excluded.profile returning number`,
    [version, profile]
  )
  return rows[0]?.number ?? 0
}
