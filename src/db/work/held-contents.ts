import { digestArray } from '../encoding/binary.ts'
import type { Tx } from '../pool.ts'

/** Which contents are held, and by which record; locked so that the twin cannot leave while its follower is written. */
export async function findHeldTwins(
  tx: Tx,
  jurisdiction: string,
  idempotencyKeys: readonly string[]
): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ key: string; record_id: string }>({
    name: 'find-held-twins',
    text: `select encode(h.idempotency_key, 'hex') as key, h.record_id
      from unnest($2::bytea[]) k join held_content h on h.jurisdiction = $1 and h.idempotency_key = k
      order by h.idempotency_key for share of h`,
    values: [jurisdiction, digestArray(idempotencyKeys)]
  })
  return new Map(rows.map(row => [row.key, row.record_id]))
}

/** Claims contents for the records that hold them first; answers the keys claimed. */
export async function claimHeldContents(
  tx: Tx,
  jurisdiction: string,
  claims: readonly { readonly key: string; readonly recordId: string }[]
): Promise<Set<string>> {
  const { rows } = await tx.query<{ key: string }>(
    `insert into held_content (jurisdiction, idempotency_key, record_id)
     select $1, decode(c.key, 'hex'), c.record_id
     from unnest($2::text[], $3::uuid[]) as c(key, record_id) order by c.key
     on conflict do nothing returning encode(idempotency_key, 'hex') as key`,
    [jurisdiction, claims.map(claim => claim.key), claims.map(claim => claim.recordId)]
  )
  return new Set(rows.map(row => row.key))
}

/** Lets go of the contents that these records held. */
export async function releaseHeldContents(tx: Tx, jurisdiction: string, recordIds: readonly string[]): Promise<void> {
  await tx.query('delete from held_content where jurisdiction = $1 and record_id = any($2::uuid[])', [
    jurisdiction,
    recordIds
  ])
}
