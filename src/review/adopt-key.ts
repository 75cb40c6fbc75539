import type { Tx } from '../db/pool.ts'
import { type HeldRecord, lockFollowers, setIdempotencyKey } from '../db/review/held-records.ts'
import { claimHeldContents, findHeldTwins, releaseHeldContents } from '../db/work/held-contents.ts'
import { AppError } from '../errors.ts'
import { reasonOf } from '../model/reasons.ts'
import type { JudgedRecord } from '../pipeline/commit/judged-record.ts'
import { type Recalled, recallDecisions } from '../pipeline/decided/recall-decisions.ts'

/** What has become of a record that was held unread, or as refused, under the key of what has been read now. */
export interface Adopted {
  readonly record: HeldRecord
  readonly judged: JudgedRecord
  /** The key it had until now, which was not that of its content. Hex. */
  readonly unreadKey: string
  /** The record it follows now, or whose rejection it repeats. */
  readonly duplicateOf: string | null
}

/**
 * Gives a held record, and those that follow it, the key of its content: until then its place in its file stood for it,
 * or, of a refused row, that it was one. As in a commit, it follows a record that is held with the same content, and a
 * decision about that content holds for it. The caller holds the record's lock. Throws `DATABASE_CONFLICT` when the
 * content came to be held meanwhile.
 */
export async function adoptKey(tx: Tx, record: HeldRecord, read: JudgedRecord): Promise<Adopted> {
  const { jurisdiction, id, idempotencyKey: unreadKey } = record
  const key = read.idempotencyKey
  await releaseHeldContents(tx, jurisdiction, [id])
  const followers = await lockFollowers(tx, jurisdiction, id)
  await setIdempotencyKey(tx, jurisdiction, [id, ...followers.map(follower => follower.id)], key)
  const own = { ...record, idempotencyKey: key }
  const twin = (await findHeldTwins(tx, jurisdiction, [key])).get(key)
  const recalled: JudgedRecord & Recalled = (await recallDecisions(tx, jurisdiction, [read]))[0] ?? read
  if (twin !== undefined && recalled.state !== 'rejected') {
    const reasons = [...recalled.reasons, reasonOf('DUPLICATE_RECORD')]
    return { record: own, judged: { ...recalled, state: 'quarantined', reasons }, unreadKey, duplicateOf: twin }
  }
  if (recalled.state === 'quarantined') {
    const claimed = await claimHeldContents(tx, jurisdiction, [{ key, recordId: id }])
    if (!claimed.has(key)) throw new AppError('DATABASE_CONFLICT', 'The same content came to be held meanwhile.')
  }
  return { record: own, judged: recalled, unreadKey, duplicateOf: recalled.rejectedAs ?? null }
}
