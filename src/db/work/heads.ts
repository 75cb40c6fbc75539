import type { Json } from '../../model/json.ts'
import { digestArray, intArray, jsonbArray, textArray, uuidArray } from '../encoding/binary.ts'
import type { Tx } from '../pool.ts'

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

/** Which of these natural keys have a version already. A natural key must be well-formed text. */
export async function findVersionedKeys(tx: Tx, owner: HeadOwner, naturalKeys: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ natural_key: string }>({
    name: 'find-versioned-keys',
    text: `select natural_key from canonical_record
      where jurisdiction = $1 and profile = $2 and natural_key = any($3::text[]) and version = 1`,
    values: [owner.jurisdiction, owner.profile, textArray(naturalKeys)]
  })
  return rows.map(row => row.natural_key)
}

/**
 * Inserts the heads of natural keys that come more than once in the set that brings them, in the order in which heads are
 * locked. Keys that come once need none: their first version is their head.
 */
export async function insertHeads(tx: Tx, owner: HeadOwner, heads: readonly HeadRow[]): Promise<void> {
  await tx.query({
    name: 'insert-heads',
    text: `insert into canonical_head (jurisdiction, profile, natural_key, version, last_version, idempotency_key, record_id,
        batch_received_at, batch_id, file_number, item)
      select $1, $2, natural_key, version, last_version, key, id,
        (select received_at from batch where jurisdiction = $1 and id = $3), $3, $4, item
      from unnest($5::text[], $6::int[], $7::int[], $8::bytea[], $9::uuid[], $10::int[])
        h(natural_key, version, last_version, key, id, item)
      order by natural_key`,
    values: [
      owner.jurisdiction,
      owner.profile,
      owner.batchId,
      owner.fileNumber,
      textArray(heads.map(head => head.naturalKey)),
      intArray(heads.map(head => head.version)),
      intArray(heads.map(head => head.lastVersion)),
      digestArray(heads.map(head => head.idempotencyKey)),
      uuidArray(heads.map(head => head.recordId)),
      intArray(heads.map(head => head.item))
    ]
  })
}

export interface ExistingHead extends HeadRow {
  readonly fileNumber: number
  /** Whether the head's batch was received before (-1), is the same as (0) or after (1) the batch being committed. */
  readonly batchOrder: -1 | 0 | 1
}

/**
 * Reads and locks the heads of natural keys that have a version, in natural-key order so that two commits never wait for
 * each other in a circle. A key submitted for the second time gets its row first; reading is a statement of its own, so
 * that it sees who was first.
 */
export async function lockHeads(tx: Tx, owner: HeadOwner, naturalKeys: readonly string[]): Promise<ExistingHead[]> {
  await tx.query({
    name: 'insert-missing-heads',
    text: `insert into canonical_head (jurisdiction, profile, natural_key, version, last_version, idempotency_key, record_id,
        batch_received_at, batch_id, file_number, item)
      select jurisdiction, profile, natural_key, 1, 1, idempotency_key, record_id, batch_received_at, batch_id, file_number, item
      from canonical_record
      where jurisdiction = $1 and profile = $2 and natural_key = any($3::text[]) and version = 1
      order by natural_key on conflict do nothing`,
    values: [owner.jurisdiction, owner.profile, naturalKeys]
  })
  const { rows } = await tx.query<ExistingHead>({
    name: 'lock-heads',
    text: `select h.natural_key as "naturalKey", h.version, h.last_version as "lastVersion",
       encode(h.idempotency_key, 'hex') as "idempotencyKey", h.record_id as "recordId", h.item, h.file_number as "fileNumber",
       case when h.batch_id = b.id then 0
         when (h.batch_received_at, h.batch_id) < (b.received_at, b.id) then -1 else 1 end as "batchOrder"
     from canonical_head h
     join batch b on b.jurisdiction = $1 and b.id = $3
     where h.jurisdiction = $1 and h.profile = $2 and h.natural_key = any($4::text[])
     order by h.natural_key for update of h`,
    values: [owner.jurisdiction, owner.profile, owner.batchId, naturalKeys]
  })
  return rows
}

/** Which of these natural keys hold other values in that version than the ones given, compared as JSON. */
export async function findOtherContents(
  tx: Tx,
  owner: Pick<HeadOwner, 'jurisdiction' | 'profile'>,
  versions: readonly { readonly naturalKey: string; readonly version: number; readonly content: Json }[]
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ natural_key: string }>({
    name: 'find-other-contents',
    text: `select u.natural_key from unnest($3::text[], $4::int[], $5::jsonb[]) u(natural_key, version, content)
      join canonical_record c on c.jurisdiction = $1 and c.profile = $2 and c.natural_key = u.natural_key and c.version = u.version
      where c.content <> u.content`,
    values: [
      owner.jurisdiction,
      owner.profile,
      textArray(versions.map(one => one.naturalKey)),
      intArray(versions.map(one => one.version)),
      jsonbArray(versions.map(one => JSON.stringify(one.content)))
    ]
  })
  return new Set(rows.map(row => row.natural_key))
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
