import type { AuditEntry } from '../../audit/append-entries.ts'
import { crashPoint } from '../../crash-points.ts'
import type { Pool, Tx } from '../../db/pool.ts'
import { lockChunks, moveCounts } from '../../db/review/chunk-counts.ts'
import {
  dropCorrections,
  endCorrections,
  listBatchesToSettle,
  listReadyCorrections,
  type ReadyCorrection,
  replaceRecords
} from '../../db/review/corrections.ts'
import type { Follower } from '../../db/review/held-records.ts'
import { lockFollowersOf, lockHeldRecords } from '../../db/review/held-records.ts'
import { withTransaction } from '../../db/transaction.ts'
import { releaseHeldContents } from '../../db/work/held-contents.ts'
import type { NewId } from '../../model/ids.ts'
import type { Json } from '../../model/json.ts'
import { reasonOf } from '../../model/reasons.ts'
import type { Transition } from '../../model/states.ts'
import { appendChanges } from '../commit/append-changes.ts'

export interface SettleDeps {
  readonly pool: Pool
  readonly newId: NewId
}

const PAGE = 500

interface Ending extends Follower {
  readonly replacedBy: string
  /** Set for a record that follows the one that was corrected. */
  readonly follows?: string
}

function entryOf(one: Ending): AuditEntry {
  const steps: readonly Transition[] = one.follows === undefined ? ['corrected', 'rejected'] : ['rejected']
  const detail = { replaced_by: one.replacedBy, ...(one.follows === undefined ? {} : { follows: one.follows }) }
  return {
    subjectId: one.id,
    kind: 'record',
    seq: one.auditSeq + 1,
    previous: one.auditHash,
    idempotencyKey: one.idempotencyKey,
    reasons: ['CORRECTED'],
    detail,
    transitions: steps.map(step => [step, 0] as const)
  }
}

/** Contents are let go of before followers are locked: until then a commit may still add one. */
async function lockEndings(tx: Tx, jurisdiction: string, replacements: ReadonlyMap<string, string>): Promise<Ending[]> {
  const ids = [...replacements.keys()]
  const held = await lockHeldRecords(tx, jurisdiction, ids)
  await releaseHeldContents(tx, jurisdiction, ids)
  const followers = await lockFollowersOf(tx, jurisdiction, ids)
  return [
    ...held.map(one => ({ ...one, replacedBy: replacements.get(one.id) ?? '' })),
    ...followers.map(one => ({ ...one, replacedBy: replacements.get(one.follows) ?? '' }))
  ]
}

/** Ends held records of one batch, those that follow them and their counts, in the caller's transaction. */
async function replace(tx: Tx, deps: SettleDeps, jurisdiction: string, ready: readonly ReadyCorrection[]) {
  const [first] = ready
  if (first === undefined) return
  const ends = await lockEndings(tx, jurisdiction, new Map(ready.map(one => [one.recordId, one.replacedBy])))
  await endCorrections(
    tx,
    jurisdiction,
    ready.map(one => one.recordId)
  )
  if (ends.length === 0) return
  const { batchId, manifestVersion, submitter: actor } = first
  const scope = { jurisdiction, batchId, manifestVersion, actor, commitId: deps.newId() }
  const chunkIds = ends.map(({ chunkId }) => chunkId)
  await lockChunks(tx, jurisdiction, chunkIds)
  await replaceRecords(tx, jurisdiction, { reason: reasonOf('CORRECTED') as unknown as Json, actor }, ends)
  await appendChanges(tx, scope, ends.map(entryOf))
  await moveCounts(
    tx,
    jurisdiction,
    ends.map(({ chunkId }) => ({ chunkId, accepted: 0, duplicate: 0, rejected: 1 }))
  )
}

async function settlePage(deps: SettleDeps, jurisdiction: string, batchId: string): Promise<number> {
  return withTransaction(deps.pool, async tx => {
    const ready = await listReadyCorrections(tx, jurisdiction, batchId, PAGE)
    const rejected = ready.filter(one => one.newState === 'rejected')
    if (rejected.length > 0) {
      await dropCorrections(
        tx,
        jurisdiction,
        rejected.map(one => one.recordId)
      )
    }
    const parent = ready.find(one => one.newState !== 'rejected')?.batchId
    const settled = ready.filter(one => one.newState !== 'rejected' && one.batchId === parent)
    await replace(tx, deps, jurisdiction, settled)
    if (settled.length > 0) crashPoint('corrections.replaced')
    return rejected.length + settled.length
  })
}

/**
 * Ends the held records whose rows, in an errors file that came back, have become records of their own: rejected as
 * corrected, with the record that replaced them. Runs after the rows' commit; a sweep repeats it for workers that ended
 * in between. Settles each record once.
 */
export async function settleCorrections(deps: SettleDeps, jurisdiction: string, batchId: string): Promise<number> {
  let settled = 0
  for (;;) {
    const some = await settlePage(deps, jurisdiction, batchId)
    if (some === 0) return settled
    crashPoint('corrections.settled')
    settled += some
  }
}

/** Settles what other workers left. */
export async function sweepCorrections(deps: SettleDeps): Promise<number> {
  let settled = 0
  for (const { jurisdiction, batchId } of await listBatchesToSettle(deps.pool, PAGE)) {
    settled += await settleCorrections(deps, jurisdiction, batchId)
  }
  return settled
}
