import type { Tx } from '../../db/pool.ts'
import { findVersionedKeys, type HeadOwner, insertHeads, lockHeads, updateHeads } from '../../db/work/heads.ts'
import { claimHeldContents, findHeldTwins } from '../../db/work/held-contents.ts'
import { AppError } from '../../errors.ts'
import { recallDecisions } from '../decided/recall-decisions.ts'
import {
  contendersOf,
  followersOf,
  type Identified,
  isOpen,
  placeRecords,
  type SettledRecord
} from './place-records.ts'
import { type HeadOutcome, planHeads } from './plan-heads.ts'
import { headsAsRead, type ReadContender } from './read-otherwise.ts'

/**
 * The first record of each held content claims it; the others, in this set or committed before (`twins`, by key), follow
 * it. Throws `DATABASE_CONFLICT` when a twin came and was decided meanwhile: trying again finds the decision.
 */
async function followHeldTwins(
  tx: Tx,
  jurisdiction: string,
  records: readonly Identified[],
  twins: Map<string, string>
): Promise<ReadonlyMap<string, string>> {
  const open = records.filter(isOpen)
  const claims = new Map<string, string>()
  for (const record of open) {
    const key = record.idempotencyKey
    if (record.state === 'quarantined' && !twins.has(key) && !claims.has(key)) claims.set(key, record.id)
  }
  if (claims.size > 0) {
    const wanted = [...claims].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, recordId]) => ({ key, recordId }))
    const claimed = await claimHeldContents(tx, jurisdiction, wanted)
    const lost = wanted.filter(({ key }) => !claimed.has(key)).map(({ key }) => key)
    if (lost.length > 0) for (const [key, id] of await findHeldTwins(tx, jurisdiction, lost)) twins.set(key, id)
    if (lost.some(key => !twins.has(key))) {
      throw new AppError('DATABASE_CONFLICT', 'A held content was decided about while this commit claimed it.')
    }
    for (const key of claimed) twins.set(key, claims.get(key) as string)
  }
  return followersOf(records, twins)
}

/**
 * Settles heads for acceptable records: reads and locks those that exist, plans against them and writes what the plan
 * changes. The caller writes the versions; a natural key that another transaction brings meanwhile fails it there.
 */
export async function settleHeads(
  tx: Tx,
  owner: HeadOwner,
  contenders: readonly ReadContender[]
): Promise<ReadonlyMap<string, HeadOutcome>> {
  if (contenders.length === 0) return new Map()
  const keys = contenders.map(contender => contender.naturalKey).filter(key => key.isWellFormed())
  const versioned = await findVersionedKeys(tx, owner, keys)
  const heads = versioned.length > 0 ? await lockHeads(tx, owner, versioned) : []
  const plan = planHeads(contenders, await headsAsRead(tx, owner, contenders, heads), owner.fileNumber)
  // Of a key that comes once, the version is the head.
  const repeated = plan.inserts.filter(head => head.repeated)
  if (repeated.length > 0) await insertHeads(tx, owner, repeated)
  if (plan.updates.length > 0) await updateHeads(tx, owner, plan.updates)
  return plan.outcomes
}

/**
 * Gives each judged record its place among the content that exists: a new version, a duplicate, or a follower of held
 * content. Must run inside the commit's transaction; locks held contents and heads in key order.
 */
export async function settleRecords(tx: Tx, owner: HeadOwner, judged: readonly Identified[]): Promise<SettledRecord[]> {
  const { jurisdiction } = owner
  const open = judged.filter(isOpen)
  const twins = await findHeldTwins(tx, jurisdiction, [...new Set(open.map(record => record.idempotencyKey))])
  const records = await recallDecisions(tx, jurisdiction, judged)
  const followed = await followHeldTwins(tx, jurisdiction, records, twins)
  const outcomes = await settleHeads(tx, owner, contendersOf(records, followed))
  return placeRecords(records, followed, outcomes)
}
