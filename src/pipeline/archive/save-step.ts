import { type AuditEntry, appendEntries } from '../../audit/append-entries.ts'
import { receivedFileEntry } from '../../audit/received-file.ts'
import { crashPoint } from '../../crash-points.ts'
import { insertFiles, type NewFile } from '../../db/files.ts'
import type { Tx } from '../../db/pool.ts'
import { withTransaction } from '../../db/transaction.ts'
import { insertChunks, type NewChunk } from '../../db/work/chunks.ts'
import { finishSplit, saveSplitProgress } from '../../db/work/splits.ts'
import { type ArchiveResult, archiveFormat, archiveToStored } from '../../model/archive-progress.ts'
import { QUEUED_CHUNKS } from '../../model/limits.ts'
import { enqueueJobs, type NewJob } from '../../queue/enqueue.ts'
import { completeJob } from '../../queue/settle.ts'
import type { ClaimedJob } from '../../queue/slots.ts'
import { payloadKey } from '../../storage/payload-store.ts'
import { lost } from '../split/save-split.ts'
import { mappingDetail } from '../split/source-mapping.ts'
import type { FoundFile } from './found-file.ts'
import type { Step } from './take-content.ts'

type Chunks = FoundFile & { readonly rows: readonly NewChunk[] }

async function storeAll({ deps, work, found }: Step): Promise<void> {
  const spooled = found.filter(file => file.payloadUri === null)
  const items = spooled.map(({ spooled: one, id }) => ({ spooled: one, key: payloadKey(work.jurisdiction, id) }))
  const uris = await deps.store.commit(items)
  spooled.forEach((file, i) => {
    found[found.indexOf(file)] = { ...file, payloadUri: uris[i] ?? '' }
  })
}

const withChunks = ({ deps, found }: Step): Chunks[] =>
  found.map(file => ({
    ...file,
    rows: file.chunks.map((plan, ordinal) => ({
      ...plan,
      id: deps.newId(),
      ordinal,
      generation: ordinal < QUEUED_CHUNKS ? 1 : 0
    }))
  }))

const receivedOf = ({ mapping }: Step, file: FoundFile): AuditEntry =>
  receivedFileEntry({
    ...file,
    sha256: file.spooled.sha256,
    size: file.spooled.size,
    mapping: mappingDetail(file.kind === 'data' && file.state === 'split' ? mapping : null)
  })

const resultOf = ({ progress }: Step): ArchiveResult => ({ files: progress.files, ...progress.ignored })

const chunkedOf = (step: Step): AuditEntry => ({
  subjectId: step.work.fileId,
  kind: 'file',
  seq: step.work.auditSeq + 1,
  previous: step.work.auditHash,
  detail: { ...resultOf(step) },
  transitions: [['chunked', 0]]
})

async function writeEntries(tx: Tx, step: Step, isWhole: boolean): Promise<ReadonlyMap<string, Buffer>> {
  const { deps, work, found } = step
  const entries = [...found.map(file => receivedOf(step, file)), ...(isWhole ? [chunkedOf(step)] : [])]
  if (entries.length === 0) return new Map()
  const { jurisdiction, batchId, manifestVersion } = work
  const scope = { jurisdiction, batchId, manifestVersion, actor: deps.actor, commitId: deps.newId() }
  return appendEntries(tx, scope, entries)
}

const rowOf = (file: FoundFile, auditHash: Buffer): NewFile => {
  const { size, sha256 } = file.spooled
  const generation = file.state === 'split' ? 0 : 1
  return { ...file, declaredType: null, size, sha256, payloadUri: file.payloadUri ?? '', generation, auditHash }
}

async function writeFiles(tx: Tx, { work }: Step, files: readonly Chunks[], hashes: ReadonlyMap<string, Buffer>) {
  const { jurisdiction, batchId } = work
  const rows = files.map(file => rowOf(file, hashes.get(file.id) ?? Buffer.alloc(0)))
  await insertFiles(tx, { jurisdiction, batchId }, rows)
  for (const { id, number, rows: chunks } of files) {
    if (chunks.length > 0) await insertChunks(tx, { jurisdiction, batchId, fileId: id, fileNumber: number }, chunks)
  }
}

async function enqueueFound(tx: Tx, { deps, work }: Step, files: readonly Chunks[]): Promise<void> {
  const { jurisdiction, lane } = work
  const job = ({ id }: { readonly id: string }): NewJob => ({ jurisdiction, subjectId: id, generation: 1, lane })
  const queued = files.flatMap(file => file.rows.filter(chunk => chunk.generation === 1))
  const isDocument = (chunk: NewChunk): boolean => chunk.kind === 'document'
  await enqueueJobs(deps.boss, tx, 'split', files.filter(file => file.state !== 'split').map(job))
  await enqueueJobs(deps.boss, tx, 'document', queued.filter(isDocument).map(job))
  await enqueueJobs(deps.boss, tx, 'chunk', queued.filter(chunk => !isDocument(chunk)).map(job))
}

/** Moves the archive on: to its end, or to its next job. False when another attempt did, or it was cancelled. */
async function moveOn(tx: Tx, step: Step, auditHash: Buffer | undefined): Promise<boolean> {
  const { deps, work, progress } = step
  if (auditHash) {
    return finishSplit(tx, work, { format: archiveFormat(resultOf(step)), auditSeq: work.auditSeq + 1, auditHash })
  }
  if (!(await saveSplitProgress(tx, work, archiveToStored(progress)))) return false
  const { jurisdiction, fileId, generation, lane } = work
  await enqueueJobs(deps.boss, tx, 'split', [{ jurisdiction, subjectId: fileId, generation: generation + 1, lane }])
  return true
}

/**
 * Records the files that a step has found: their payloads are made durable first, then rows, chunks, audit entries and
 * jobs are committed together with the archive's new place. Throws `CLAIM_LOST`, and nothing is recorded, when another
 * attempt was first or the archive was cancelled.
 */
export async function saveStep(step: Step, job: ClaimedJob, isWhole: boolean): Promise<void> {
  await storeAll(step)
  crashPoint('archive.stored')
  const files = withChunks(step)
  await withTransaction(step.deps.pool, async tx => {
    const hashes = await writeEntries(tx, step, isWhole)
    if (!(await moveOn(tx, step, hashes.get(step.work.fileId)))) throw lost()
    await writeFiles(tx, step, files, hashes)
    await enqueueFound(tx, step, files)
    if (!(await completeJob(step.deps.boss, tx, job))) throw lost()
    crashPoint('archive.before-commit')
  })
  crashPoint('archive.committed')
}

/** Removes what a step stored that is not recorded; what cannot be removed is left to the sweeper. */
export async function discardStep({ deps, found }: Step): Promise<void> {
  await Promise.allSettled(
    found.map(({ spooled, payloadUri }) =>
      payloadUri === null ? deps.store.discard(spooled.name) : deps.store.remove(payloadUri)
    )
  )
}
