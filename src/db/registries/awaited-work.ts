import type { Fields } from '../../model/envelope.ts'
import type { Pool, Queryable } from '../pool.ts'
import { toDatabaseError } from '../sqlstate.ts'
import { withClient } from '../transaction.ts'

/** Jurisdictions that ask a registry elsewhere, whose answers are kept. */
export async function listRemoteJurisdictions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ jurisdiction: string }>(
    `select distinct jurisdiction from (
       select distinct on (jurisdiction, kind) jurisdiction, settings from registry_source
       order by jurisdiction, kind, version desc) newest
     where settings -> 'source' ->> 'adapter' <> 'table' order by jurisdiction`
  )
  return rows.map(row => row.jurisdiction)
}

/** `pending`: nobody has begun to work it. `held`: it is committed, and records of it wait for a registry. */
export type AwaitedState = 'pending' | 'held'

export interface AwaitedChunk {
  readonly id: string
  readonly kind: 'rows' | 'document' | 'fault'
}

const AWAITED: Readonly<Record<AwaitedState, string>> = {
  pending: `select id, kind from chunk where jurisdiction = $1 and state = 'pending' and launches = 0 and id > $2
    order by id limit $3`,
  held: `select c.id, c.kind from chunk c
    where c.jurisdiction = $1 and c.id > $2 and c.id in (select r.chunk_id from record r
      where r.jurisdiction = $1 and r.state = 'quarantined' and r.duplicate_of is null
        and r.reasons @> '[{"code": "ENRICH_UNAVAILABLE"}]')
    order by c.id limit $3`
}

/** The next chunks of a jurisdiction behind `after`, in the order of their ids, whose keys registries will be asked for. */
export async function listAwaitedChunks(
  db: Queryable,
  jurisdiction: string,
  state: AwaitedState,
  { after, limit }: { readonly after: string; readonly limit: number }
): Promise<AwaitedChunk[]> {
  const { rows } = await db.query<AwaitedChunk>(AWAITED[state], [jurisdiction, after, limit])
  return rows
}

/** The values of the records of a chunk that wait for a registry. */
export async function listAwaitingFields(
  db: Queryable,
  jurisdiction: string,
  chunkId: string
): Promise<{ readonly item: number; readonly fields: Fields }[]> {
  const { rows } = await db.query<{ item: number; fields: Fields }>(
    `select item, fields from record where jurisdiction = $1 and chunk_id = $2 and state = 'quarantined'
       and duplicate_of is null and reasons @> '[{"code": "ENRICH_UNAVAILABLE"}]' order by item`,
    [jurisdiction, chunkId]
  )
  return rows
}

/**
 * Runs `work` unless some process is at it already; undefined then. The claim is a lock of a connection that nothing else
 * is done with, so that it ends with the process and no transaction stays open meanwhile.
 */
export async function withWarmingClaim<T>(pool: Pool, work: () => Promise<T>): Promise<T | undefined> {
  return withClient(pool, async (client, close) => {
    const claimed = client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [WARMING_LOCK])
    const { rows } = await claimed.catch((error: unknown) => {
      throw toDatabaseError(error)
    })
    if (rows[0]?.got !== true) return undefined
    try {
      return await work()
    } finally {
      await client.query('select pg_advisory_unlock($1)', [WARMING_LOCK]).catch(close)
    }
  })
}

/** Of no meaning but to be used nowhere else. */
const WARMING_LOCK = 3_800_001
