import { appendEntries } from '../../audit/append-entries.ts'
import { crashPoint } from '../../crash-points.ts'
import type { Tx } from '../../db/pool.ts'
import { selectHeldInside } from '../../db/retention/holds.ts'
import {
  addPayloadChanges,
  changePayload,
  deleteReadings,
  type ErasedFile,
  listErasedRows,
  lockErasedFile,
  type PayloadChange,
  readErasedFile,
  setChunkDigests
} from '../../db/retention/payload-changes.ts'
import { addStep, type ErasureStep, endStep, lockStep, readStep } from '../../db/retention/steps.ts'
import { withTransaction } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import type { NewId } from '../../model/ids.ts'
import { type CarryOutDeps, carryOutChanges } from './carry-out.ts'
import { onHold } from './legal-holds.ts'
import { type FilePatches, isPatchable, patchRows } from './patch-rows.ts'

export interface SettleDeps extends CarryOutDeps {
  readonly newId: NewId
}

/** How often a file that others change at the same time is looked at anew. Each time one of them has come further. */
const TRIES = 20

type Plan = { readonly kind: 'keep' | 'remove' } | ({ readonly kind: 'overwrite' } & FilePatches)

/** What is to become of a payload, by what is left of its records. */
async function planOf({ pool, store }: SettleDeps, step: ErasureStep, file: ErasedFile): Promise<Plan> {
  if (!file.left || step.mode === 'force') return { kind: 'remove' }
  if (step.mode === 'wait') return { kind: 'keep' }
  if (isPatchable(file)) {
    const rows = await listErasedRows(pool, step.jurisdiction, file.id)
    const found = rows.length > 0 ? await patchRows(store, file, rows) : undefined
    if (found) return { kind: 'overwrite', ...found }
  }
  return { kind: step.mode === 'share' ? 'remove' : 'keep' }
}

/** A step that is being done. */
interface Settling {
  readonly deps: SettleDeps
  readonly step: ErasureStep
}

/** Writes the entry of a file whose payload changes, and moves its chain on. */
async function tell(tx: Tx, { deps, step }: Settling, file: ErasedFile, sha256: Buffer | null): Promise<void> {
  const { jurisdiction, actor, reason, rule } = step
  const { id, batchId, manifestVersion, auditSeq, auditHash, state } = file
  const scope = { jurisdiction, batchId, manifestVersion, actor, commitId: deps.newId() }
  const detail = {
    payload: sha256?.toString('hex') ?? null,
    was: file.sha256.toString('hex'),
    reason,
    ...(rule === null ? {} : { rule })
  }
  const done = sha256 === null ? ('payload_removed' as const) : ('payload_overwritten' as const)
  const steps = state === 'cancelled' ? [done, 'cancelled' as const] : [done]
  const hashes = await appendEntries(tx, scope, [
    {
      subjectId: id,
      kind: 'file',
      seq: auditSeq + 1,
      previous: auditHash,
      detail,
      transitions: steps.map(one => [one, 0])
    }
  ])
  await changePayload(tx, jurisdiction, { id, sha256, auditHash: hashes.get(id) ?? auditHash })
}

async function write(tx: Tx, settling: Settling, file: ErasedFile, plan: Plan): Promise<void> {
  const { deps, step } = settling
  const { jurisdiction } = step
  const changeOf = (uri: string, patches: PayloadChange['patches']): PayloadChange => ({
    jurisdiction,
    id: deps.newId(),
    fileId: file.id,
    uri,
    patches
  })
  if (plan.kind === 'overwrite') {
    await tell(tx, settling, file, plan.sha256)
    await setChunkDigests(tx, jurisdiction, plan.digests)
    await addPayloadChanges(tx, [changeOf(file.payloadUri, plan.patches)])
  }
  if (plan.kind === 'remove') {
    await tell(tx, settling, file, null)
    const readings = file.kind === 'document' ? await deleteReadings(tx, jurisdiction, file.sha256) : []
    const uris = [file.payloadUri, ...(file.unpackedUri === null ? [] : [file.unpackedUri]), ...readings]
    await addPayloadChanges(
      tx,
      uris.map(uri => changeOf(uri, null))
    )
  }
}

const isSame = (a: ErasedFile, b: ErasedFile): boolean =>
  a.sha256.equals(b.sha256) && a.left === b.left && a.auditSeq === b.auditSeq && !b.isRemoved && !b.isChanging

/**
 * Whether a hold keeps a payload in which others are left. A rule finds its file again when the hold is lifted; an erasure
 * that has to wait for it throws `LEGAL_HOLD`, and its step stays.
 */
async function isKept(tx: Tx, step: ErasureStep, file: ErasedFile): Promise<boolean> {
  if (!file.left) return false
  const held = await selectHeldInside(tx, step.jurisdiction, file.id)
  if (held.length > 0 && step.mode !== 'force') throw onHold(held)
  return held.length > 0
}

/** Does what was planned and ends the step, unless file or step are others by now: then it answers false. */
async function settle(settling: Settling, version: string, file: ErasedFile | undefined, plan: Plan): Promise<boolean> {
  const { deps, step } = settling
  return withTransaction(deps.pool, async tx => {
    // What was erased since the plan was made has noted the step again.
    if ((await lockStep(tx, step))?.version !== version) return false
    const locked = await lockErasedFile(tx, step.jurisdiction, step.ref)
    if (file && locked && plan.kind !== 'keep') {
      if (!isSame(file, locked)) return false
      if (plan.kind === 'overwrite' || !(await isKept(tx, step, locked))) await write(tx, settling, locked, plan)
    }
    crashPoint('settle.written')
    await endStep(tx, step)
    if (file?.archiveId) await addStep(tx, archiveStep(step, file.archiveId))
    crashPoint('settle.before-commit')
    return true
  })
}

/** An archive goes when nothing of it is left. */
const archiveStep = (step: ErasureStep, ref: string): ErasureStep => ({
  ...step,
  mode: step.mode === 'force' ? 'wait' : step.mode,
  ref
})

/**
 * Removes the payload of a file none of whose records is left, or overwrites the rows of erased ones; what was unpacked
 * from it, what was read from it and the pictures of its pages go with it, and so does the archive that it came in. The
 * audit entry of the file comes first, in one transaction with what is to be done; the objects follow. A step that
 * another process has done meanwhile is not done again. Throws `LEGAL_HOLD` when others in it are on hold.
 */
export async function settlePayload(deps: SettleDeps, step: ErasureStep): Promise<void> {
  const { jurisdiction, ref } = step
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const noted = await readStep(deps.pool, step)
    await carryOutChanges(deps, { jurisdiction, fileId: ref })
    if (!noted) return
    const now = { ...step, mode: noted.mode }
    const file = await readErasedFile(deps.pool, jurisdiction, ref)
    const plan: Plan = !file || file.isRemoved ? { kind: 'keep' } : await planOf(deps, now, file)
    if (!(await settle({ deps, step: now }, noted.version, file, plan))) continue
    crashPoint('settle.committed')
    await carryOutChanges(deps, { jurisdiction, fileId: ref })
    if (file?.archiveId) await settlePayload(deps, archiveStep(now, file.archiveId))
    return
  }
  throw new AppError('DATABASE_CONFLICT', 'A file is being changed by others.')
}
