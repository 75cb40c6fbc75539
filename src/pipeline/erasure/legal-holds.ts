import { appendEntries } from '../../audit/append-entries.ts'
import type { Pool } from '../../db/pool.ts'
import { insertHold, liftHold, lockFilesOf } from '../../db/retention/holds.ts'
import { type ChainSubjectId, lockChainEnd, moveChainEnd } from '../../db/review/chain-ends.ts'
import { withTransaction } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import type { NewId } from '../../model/ids.ts'

/** The refusal of an erasure, or of removing a file, that a hold stands against. */
export const onHold = (ids: readonly string[]): AppError =>
  new AppError('LEGAL_HOLD', 'A legal hold is on these records, or on their batch: nothing of them is erased.', {
    details: { record_ids: ids.slice(0, 20) }
  })

/**
 * Places or lifts a legal hold on a batch or a record, with its audit entry. While it is in force nothing of the subject is
 * erased or removed. Answers false when nothing was to be done. Throws `NOT_FOUND`.
 */
export async function changeHold(
  deps: { readonly pool: Pool; readonly newId: NewId },
  subject: ChainSubjectId,
  change: { readonly actor: string; readonly places: boolean }
): Promise<boolean> {
  const { kind, jurisdiction, id } = subject
  const { actor, places } = change
  return withTransaction(deps.pool, async tx => {
    const end = await lockChainEnd(tx, subject)
    if (!end) throw new AppError('NOT_FOUND', `There is no ${kind} of this id.`)
    if (places && kind === 'record') await lockFilesOf(tx, jurisdiction, id)
    const isChanged = places
      ? await insertHold(tx, { jurisdiction, id: deps.newId(), kind, subjectId: id, actor })
      : await liftHold(tx, jurisdiction, id, actor)
    if (!isChanged) return false
    const { batchId, manifestVersion, auditSeq, auditHash: previous, idempotencyKey } = end
    const hashes = await appendEntries(tx, { jurisdiction, batchId, manifestVersion, actor, commitId: deps.newId() }, [
      {
        subjectId: id,
        kind,
        seq: auditSeq + 1,
        previous,
        ...(idempotencyKey === null ? {} : { idempotencyKey }),
        transitions: [[places ? 'hold_placed' : 'hold_lifted', 0]]
      }
    ])
    await moveChainEnd(tx, subject, hashes.get(id) ?? previous)
    return true
  })
}
