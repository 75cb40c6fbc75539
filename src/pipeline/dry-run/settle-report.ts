import { findTwins, type ReportHead, type ReportRow, readHeads, saveHeads } from '../../db/dry-runs/reports.ts'
import type { Tx } from '../../db/pool.ts'
import type { ExistingHead, HeadOwner } from '../../db/work/heads.ts'
import { contendersOf, followersOf, type Identified, isOpen, placeRecords } from '../commit/place-records.ts'
import { type HeadOutcome, type HeadPlan, planHeads } from '../commit/plan-heads.ts'
import { headsAsRead, type ReadContender } from '../commit/read-otherwise.ts'
import type { Recalled } from '../decided/recall-decisions.ts'

/** The records that would follow another one with the same held content. */
async function followers(
  tx: Tx,
  owner: HeadOwner,
  records: readonly Identified[]
): Promise<ReadonlyMap<string, string>> {
  const open = records.filter(isOpen)
  const twins = await findTwins(tx, owner, [...new Set(open.map(record => record.idempotencyKey))])
  for (const { state, idempotencyKey, id } of open) {
    if (state === 'quarantined' && !twins.has(idempotencyKey)) twins.set(idempotencyKey, id)
  }
  return followersOf(records, twins)
}

/** Heads as they would stand: one that only counts a version keeps its place. */
function headsOf(plan: HeadPlan, existing: ReadonlyMap<string, ExistingHead>, fileNumber: number): ReportHead[] {
  const here = { fileNumber, batchOrder: 0 as const }
  return [
    ...plan.inserts.map(head => ({ ...head, ...here })),
    ...plan.updates.map(({ moved, ...head }) => {
      const before = existing.get(head.naturalKey)
      return moved || before === undefined ? { ...head, ...here } : { ...before, lastVersion: head.lastVersion }
    })
  ]
}

async function settleHeads(
  tx: Tx,
  owner: HeadOwner,
  contenders: readonly ReadContender[]
): Promise<ReadonlyMap<string, HeadOutcome>> {
  if (contenders.length === 0) return new Map()
  const keys = [...new Set(contenders.map(contender => contender.naturalKey))]
  const existing = new Map((await readHeads(tx, owner, keys)).map(head => [head.naturalKey, head]))
  // Heads of its own places hold what it has read itself.
  const earlier = [...existing.values()].filter(head => head.batchOrder !== 0)
  const asRead = await headsAsRead(tx, owner, contenders, earlier)
  const plan = planHeads(contenders, new Map([...existing, ...asRead]), owner.fileNumber)
  await saveHeads(tx, owner, headsOf(plan, existing, owner.fileNumber))
  return plan.outcomes
}

/** What the commit would make of judged records, by the same rules, from what exists and what this dry run found before. */
export async function settleReport(
  tx: Tx,
  owner: HeadOwner,
  records: readonly (Identified & Recalled)[]
): Promise<ReportRow[]> {
  const followed = await followers(tx, owner, records)
  const outcomes = await settleHeads(tx, owner, contendersOf(records, followed))
  return placeRecords(records, followed, outcomes)
}
