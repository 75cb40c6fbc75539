import type { Tx } from '../../db/pool.ts'
import { type ExistingHead, findOtherContents, type HeadOwner } from '../../db/work/heads.ts'
import type { Json } from '../../model/json.ts'
import type { Contender } from './plan-heads.ts'

/** A contender with the values that were read from its content. */
export interface ReadContender extends Contender {
  readonly content: Json
}

/** Equal to no key: the head holds other values than the content that brought it is read as now. */
const READ_OTHERWISE = ''

/**
 * Heads by natural key, as the same content is to be compared with them. Content says nothing new only while it is read as
 * before: under a mapping that was mended since, or that of another source, the same cells are other values, and those
 * must not pass for a duplicate of the old ones.
 */
export async function headsAsRead(
  tx: Tx,
  owner: HeadOwner,
  contenders: readonly ReadContender[],
  heads: readonly ExistingHead[]
): Promise<ReadonlyMap<string, ExistingHead>> {
  const byKey = new Map(heads.map(head => [head.naturalKey, head]))
  const same = new Map(
    contenders.flatMap(({ naturalKey, idempotencyKey, content }) => {
      const head = byKey.get(naturalKey)
      return head?.idempotencyKey === idempotencyKey
        ? [[naturalKey, { naturalKey, version: head.version, content }] as const]
        : []
    })
  )
  if (same.size === 0) return byKey
  for (const naturalKey of await findOtherContents(tx, owner, [...same.values()])) {
    const head = byKey.get(naturalKey)
    if (head) byKey.set(naturalKey, { ...head, idempotencyKey: READ_OTHERWISE })
  }
  return byKey
}
