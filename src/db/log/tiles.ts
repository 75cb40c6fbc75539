import type { Tx } from '../pool.ts'

export interface StoredTile {
  readonly level: number
  readonly index: number
  /** Digests of 32 bytes in a row. */
  readonly hashes: Buffer
}

/** One tile; undefined when it does not exist. */
export async function readTile(
  db: Pick<Tx, 'query'>,
  jurisdiction: string,
  level: number,
  index: number
): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ hashes: Buffer }>(
    'select hashes from audit_tile where jurisdiction = $1 and level = $2 and index = $3',
    [jurisdiction, level, index]
  )
  return rows[0]?.hashes
}

/** Writes tiles that were filled or have grown. */
export async function writeTiles(tx: Tx, jurisdiction: string, tiles: readonly StoredTile[]): Promise<void> {
  if (tiles.length === 0) return
  await tx.query(
    `insert into audit_tile (jurisdiction, level, index, hashes)
     select $1, * from unnest($2::int[], $3::bigint[], $4::bytea[])
     on conflict (jurisdiction, level, index) do update set hashes = excluded.hashes`,
    [jurisdiction, tiles.map(one => one.level), tiles.map(one => one.index), tiles.map(one => one.hashes)]
  )
}
