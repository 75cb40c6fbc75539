import type { Tx } from '../pool.ts'
import { packIds, packKeys } from './binary.ts'

export interface HeadRow {
  readonly naturalKey: string
  readonly version: number
  readonly lastVersion: number
  readonly idempotencyKey: string
  readonly recordId: string
  readonly item: number
}

export interface HeadOwner {
  readonly jurisdiction: string
  readonly profile: string
  readonly batchId: string
  readonly fileNumber: number
}

/**
 * Inserts heads whose natural key has none yet, in natural-key order so that two commits never wait for each other in a
 * circle. Answers the natural keys inserted; the others exist.
 */
export async function insertMissingHeads(tx: Tx, owner: HeadOwner, heads: readonly HeadRow[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ natural_key: string }>({
    name: 'insert-missing-heads',
    text: `insert into canonical_head (jurisdiction, profile, natural_key, version, last_version, idempotency_key, record_id,
        batch_received_at, batch_id, file_number, item)
      select $1, $2, h ->> 0, coalesce((h ->> 2)::int, 1), coalesce((h ->> 3)::int, 1),
        substring($6::bytea from n::int * 32 - 31 for 32), encode(substring($7::bytea from n::int * 16 - 15 for 16), 'hex')::uuid,
        (select received_at from batch where jurisdiction = $1 and id = $3), $3, $4, (h ->> 1)::int
      from jsonb_array_elements($5::jsonb) with ordinality t(h, n) order by (h ->> 0) collate "C"
      on conflict do nothing returning natural_key`,
    values: [
      owner.jurisdiction,
      owner.profile,
      owner.batchId,
      owner.fileNumber,
      JSON.stringify(heads.map(shortHead)),
      packKeys(heads.map(head => head.idempotencyKey)),
      packIds(heads.map(head => head.recordId))
    ]
  })
  return new Set(rows.map(row => row.natural_key))
}

/** The first version goes without saying. */
const shortHead = (head: HeadRow): unknown[] =>
  head.lastVersion === 1 ? [head.naturalKey, head.item] : [head.naturalKey, head.item, head.version, head.lastVersion]

export interface ExistingHead extends HeadRow {
  readonly fileNumber: number
  /** Whether the head's batch was received before (-1), is the same as (0) or after (1) the batch being committed. */
  readonly batchOrder: -1 | 0 | 1
}

/** Reads and locks heads in natural-key order. A statement of its own, so that it sees who won the insert. */
export async function lockHeads(tx: Tx, owner: HeadOwner, naturalKeys: readonly string[]): Promise<ExistingHead[]> {
  const { rows } = await tx.query<ExistingHead>(
    `select h.natural_key as "naturalKey", h.version, h.last_version as "lastVersion",
       encode(h.idempotency_key, 'hex') as "idempotencyKey", h.record_id as "recordId", h.item, h.file_number as "fileNumber",
       case when h.batch_id = b.id then 0
         when (h.batch_received_at, h.batch_id) < (b.received_at, b.id) then -1 else 1 end as "batchOrder"
     from canonical_head h
     join batch b on b.jurisdiction = $1 and b.id = $3
     where h.jurisdiction = $1 and h.profile = $2 and h.natural_key = any($4::text[])
     order by h.natural_key for update of h`,
    [owner.jurisdiction, owner.profile, owner.batchId, naturalKeys]
  )
  return rows
}

/** Heads that gain versions: `moved` says whether the head itself moves to the new place or only counts a version. */
export async function updateHeads(
  tx: Tx,
  owner: HeadOwner,
  heads: readonly (HeadRow & { readonly moved: boolean })[]
): Promise<void> {
  await tx.query(
    `update canonical_head h set last_version = (u ->> 2)::int,
       version = case when moved then (u ->> 1)::int else h.version end,
       idempotency_key = case when moved then decode(u ->> 3, 'hex') else h.idempotency_key end,
       record_id = case when moved then (u ->> 4)::uuid else h.record_id end,
       batch_received_at = case when moved then b.received_at else h.batch_received_at end,
       batch_id = case when moved then b.id else h.batch_id end,
       file_number = case when moved then $4 else h.file_number end,
       item = case when moved then (u ->> 5)::int else h.item end
     from jsonb_array_elements($5::jsonb) u
     cross join lateral (select (u ->> 6)::boolean as moved) m
     join batch b on b.jurisdiction = $1 and b.id = $3
     where h.jurisdiction = $1 and h.profile = $2 and h.natural_key = u ->> 0`,
    [
      owner.jurisdiction,
      owner.profile,
      owner.batchId,
      owner.fileNumber,
      JSON.stringify(
        heads.map(head => [
          head.naturalKey,
          head.version,
          head.lastVersion,
          head.idempotencyKey,
          head.recordId,
          head.item,
          head.moved
        ])
      )
    ]
  )
}

/** Which contents are held, and by which record; locked so that the twin cannot leave while its follower is written. */
export async function findHeldTwins(
  tx: Tx,
  jurisdiction: string,
  idempotencyKeys: readonly string[]
): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ key: string; record_id: string }>({
    name: 'find-held-twins',
    text: `select encode(h.idempotency_key, 'hex') as key, h.record_id
      from generate_series(0, length($2::bytea) / 32 - 1) n
      join held_content h on h.jurisdiction = $1 and h.idempotency_key = substring($2::bytea from n * 32 + 1 for 32)
      order by h.idempotency_key for share of h`,
    values: [jurisdiction, packKeys(idempotencyKeys)]
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
