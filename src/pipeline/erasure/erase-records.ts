import { appendEntries } from '../../audit/append-entries.ts'
import { crashPoint } from '../../crash-points.ts'
import type { Pool, Tx } from '../../db/pool.ts'
import {
  destroyValues,
  type ErasedRecord,
  type Erasure,
  hideNaturalKey,
  listTriedFiles,
  lockErased
} from '../../db/retention/erasures.ts'
import { selectHeld, selectHeldInside } from '../../db/retention/holds.ts'
import { readErasedFile } from '../../db/retention/payload-changes.ts'
import {
  addStep,
  type ErasureStep,
  endStep,
  hasOthers,
  listSteps,
  lockStep,
  type PayloadMode
} from '../../db/retention/steps.ts'
import { moveRecordEnds } from '../../db/review/chain-ends.ts'
import { withTransaction } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import { carryOutChanges } from './carry-out.ts'
import { onHold } from './legal-holds.ts'
import { isPatchable } from './patch-rows.ts'
import { type SettleDeps, settlePayload } from './settle-payload.ts'

export interface EraseWork extends Erasure {
  readonly mode: PayloadMode
  /** Whether it may be that values stay in a payload that others share, until those are erased. */
  readonly mayShare?: boolean
}

const PAGE = 200

const stepOf = (work: EraseWork, kind: 'file' | 'key', profile: string, ref: string): ErasureStep => {
  const { jurisdiction, actor, reason, rule, mode } = work
  return { jurisdiction, actor, reason, rule, mode, kind, profile, ref }
}

/**
 * Throws `PAYLOAD_SHARED` when values of these records would stay in a payload, and `LEGAL_HOLD` when others on hold would
 * go with it.
 */
async function checkPayload(pool: Pool, work: EraseWork, fileId: string, ids: readonly string[]): Promise<void> {
  if (work.mayShare) return
  for (let id: string | null = fileId; id !== null; ) {
    const file = await readErasedFile(pool, work.jurisdiction, id)
    if (!file || file.isRemoved) return
    const isShared = !isPatchable(file) && (await hasOthers(pool, work.jurisdiction, id, ids))
    if (isShared && work.mode === 'share') {
      const held = await selectHeldInside(pool, work.jurisdiction, id)
      if (held.length > 0) throw onHold(held)
    } else if (isShared) {
      throw new AppError(
        'PAYLOAD_SHARED',
        'The file holds other records too, and rows in it cannot be overwritten one by one. Send payload=remove to remove it as a whole.',
        { details: { file_id: id } }
      )
    }
    id = file.archiveId
  }
}

/** Notes what is left to do once the values of a record are gone; answers what about. */
async function noteSteps(tx: Tx, work: EraseWork, record: ErasedRecord): Promise<string[]> {
  const { fileId, profile, naturalKey, state, id } = record
  const tried = await listTriedFiles(tx, work.jurisdiction, id)
  const steps = [
    stepOf(work, 'file', '', fileId),
    ...tried.map(file => stepOf({ ...work, mode: 'share' }, 'file', '', file)),
    ...(naturalKey !== null && state === 'accepted' ? [stepOf(work, 'key', profile, naturalKey)] : [])
  ]
  for (const step of steps) await addStep(tx, step)
  return steps.map(step => step.ref)
}

/**
 * Erases one record in one transaction: its values, and the entry that says so. Answers the files and natural keys that
 * something is left to do about; undefined when it was erased before.
 */
async function eraseOne(deps: SettleDeps, work: EraseWork, record: ErasedRecord): Promise<string[] | undefined> {
  const { jurisdiction, actor, reason, rule } = work
  return withTransaction(deps.pool, async tx => {
    const end = await lockErased(tx, jurisdiction, record.id)
    if (!end) return undefined
    if (end.state === 'quarantined') throw notEnded()
    if ((await selectHeld(tx, jurisdiction, [record.id])).length > 0) throw onHold([record.id])
    const { batchId, manifestVersion, state, auditSeq, auditHash: previous, idempotencyKey, codes: reasons } = end
    const answers = await destroyValues(tx, work, record.id)
    crashPoint('erase.values-destroyed')
    const scope = { jurisdiction, batchId, manifestVersion, actor, commitId: deps.newId() }
    const detail = {
      reason,
      ...(rule === null ? {} : { rule }),
      ...(answers.length > 0 ? { answers_removed: answers } : {}),
      revision: end.revision + 1
    }
    const entry = {
      subjectId: record.id,
      kind: 'record' as const,
      seq: auditSeq + 1,
      previous,
      idempotencyKey,
      // Nothing of what was committed to is kept.
      content: null,
      reasons,
      detail,
      transitions: [['erased', 0] as const, [state, 0] as const]
    }
    await moveRecordEnds(tx, jurisdiction, await appendEntries(tx, scope, [entry]))
    crashPoint('erase.entry-written')
    const noted = await noteSteps(tx, work, { ...record, state })
    crashPoint('erase.before-commit')
    return noted
  })
}

const notEnded = (): AppError =>
  new AppError(
    'RECORD_NOT_ENDED',
    'A record that is held, or whose batch goes on, is not erased: decide about it first.'
  )

async function doStep(deps: SettleDeps, step: ErasureStep): Promise<void> {
  if (step.kind === 'file') return settlePayload(deps, step)
  await withTransaction(deps.pool, async tx => {
    if (!(await lockStep(tx, step))) return
    const key = { profile: step.profile, naturalKey: step.ref, by: deps.newId() }
    await hideNaturalKey(tx, step.jurisdiction, key)
    crashPoint('erase.key-hidden')
    await endStep(tx, step)
  })
}

/** Does the steps of a page, each whatever becomes of the others. */
async function doSteps(deps: SettleDeps, steps: readonly ErasureStep[]): Promise<{ done: number; fault: unknown }> {
  let done = 0
  let fault: unknown
  for (const step of steps) {
    try {
      await doStep(deps, step)
      done += 1
    } catch (error) {
      fault ??= error
    }
  }
  return { done, fault }
}

/**
 * Does what erasures have left to do; answers how many steps. Safe beside other processes. A step that cannot be done, as
 * when a payload was lost, does not keep the others waiting; it is thrown at the end.
 */
export async function finishErasures(deps: SettleDeps): Promise<number> {
  let all = 0
  for (;;) {
    const steps = await listSteps(deps.pool, PAGE)
    const { done, fault } = await doSteps(deps, steps)
    all += done
    if (fault !== undefined) throw fault
    if (steps.length < PAGE) break
  }
  return all + (await carryOutChanges(deps))
}

/** Does what is left to do about these files and natural keys. */
async function finishOf(deps: SettleDeps, jurisdiction: string, refs: readonly string[]): Promise<void> {
  const { fault } = await doSteps(deps, await listSteps(deps.pool, 2 * refs.length, { jurisdiction, refs }))
  if (fault !== undefined) throw fault
}

/**
 * Erases records: their values in the tables one transaction each, then their natural keys and payloads. What a process
 * that ends leaves undone is noted, and done by the next or by maintenance. Throws `RECORD_NOT_ENDED`,
 * `LEGAL_HOLD` and `PAYLOAD_SHARED` before anything is changed. Answers the ids erased now.
 */
export async function eraseRecords(
  deps: SettleDeps,
  work: EraseWork,
  records: readonly ErasedRecord[]
): Promise<string[]> {
  const due = records.filter(record => !record.isErased)
  if (due.some(record => record.state === 'quarantined' || !record.isOver)) throw notEnded()
  const ids = due.map(record => record.id)
  const held = await selectHeld(deps.pool, work.jurisdiction, ids)
  if (held.length > 0) throw onHold(held)
  for (const fileId of new Set(due.map(record => record.fileId))) await checkPayload(deps.pool, work, fileId, ids)
  const erased: string[] = []
  // What an erasure before has left undone is done now.
  const refs = records.map(record => record.fileId)
  for (const record of due) {
    const left = await eraseOne(deps, work, record)
    if (left === undefined) continue
    crashPoint('erase.committed')
    erased.push(record.id)
    refs.push(...left)
  }
  await finishOf(deps, work.jurisdiction, [...new Set(refs)])
  return erased
}

/** Removes the payload of a file, whatever is left of its records, with its entry. */
export async function removeFile(deps: SettleDeps, work: Erasure, fileId: string): Promise<void> {
  const step = stepOf({ ...work, mode: 'force' }, 'file', '', fileId)
  await withTransaction(deps.pool, tx => addStep(tx, step))
  await settlePayload(deps, step)
}
