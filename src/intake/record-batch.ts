import { type AuditEntry, appendEntries } from '../audit/append-entries.ts'
import { type FileReceived, receivedFileEntry } from '../audit/received-file.ts'
import { crashPoint } from '../crash-points.ts'
import { insertBatch } from '../db/batches.ts'
import { insertFiles, type NewFile } from '../db/files.ts'
import type { Tx } from '../db/pool.ts'
import { answerSubmissionKey, bindBatchDigest } from '../db/submission-keys.ts'
import { withTransaction } from '../db/transaction.ts'
import { insertChunks, type NewChunk } from '../db/work/chunks.ts'
import type { MappingRow } from '../db/work/source-mappings.ts'
import type { PlannedFile } from '../media/plan-content.ts'
import { QUEUED_CHUNKS } from '../model/limits.ts'
import { enqueueJobs, type NewJob } from '../queue/enqueue.ts'
import { lostKey, type Reservation } from './idempotency.ts'
import { ensureNamed, type Named, rememberNamed } from './known-rows.ts'
import { numberFiles } from './plan-files.ts'
import type { BatchAnswer, IntakeDeps, ReceivedFile, RequestOptions } from './submission.ts'

/** A file with its payload stored and its plan made. */
export type StoredFile = ReceivedFile & PlannedFile & { readonly id: string; readonly payloadUri: string }

export interface NewBatchWork {
  readonly batchId: string
  readonly options: RequestOptions
  readonly principal: string
  readonly mapping: MappingRow | null
  readonly digest: Buffer
  readonly fingerprint: Buffer
  readonly files: readonly StoredFile[]
  readonly answer: BatchAnswer
  readonly reservation: Reservation | undefined
}

type FileChunks = StoredFile & { readonly number: number; readonly rows: readonly NewChunk[] }

const withChunks = (deps: IntakeDeps, files: readonly StoredFile[]): FileChunks[] =>
  numberFiles(files, deps.limits).map(file => ({
    ...file,
    rows: file.chunks.map((chunk, ordinal) => ({
      ...chunk,
      id: deps.newId(),
      ordinal,
      generation: ordinal < QUEUED_CHUNKS ? 1 : 0
    }))
  }))

/** Which saved mapping a file was split with; one that is not split yet says it when it is. */
function mappingDetail({ mapping }: NewBatchWork, file: StoredFile): FileReceived['mapping'] & object {
  if (mapping === null || file.format === null || file.state !== 'split') return {}
  return { mapping: mapping.version, mapping_sha256: mapping.digest }
}

function entriesOf(work: NewBatchWork): AuditEntry[] {
  const { options, files } = work
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  const batch: AuditEntry = {
    subjectId: work.batchId,
    kind: 'batch',
    seq: 1,
    previous: null,
    detail: {
      digest: work.digest.toString('hex'),
      files: files.length,
      bytes,
      profile: options.profile,
      lane: options.lane
    },
    transitions: [['received', 0]]
  }
  return [batch, ...files.map(file => receivedFileEntry({ ...file, mapping: mappingDetail(work, file) }))]
}

/** Binds the content to this batch; false when another live batch holds it. */
async function bindKeys(tx: Tx, deps: IntakeDeps, work: NewBatchWork): Promise<boolean> {
  const bound = {
    jurisdiction: work.options.jurisdiction,
    fingerprint: work.fingerprint,
    batchId: work.batchId,
    answer: { ...work.answer },
    ttlSeconds: deps.idempotencyTtlSeconds
  }
  const name = { scope: 'digest', key: work.digest.toString('hex') }
  // A dry run never answers for another submission, nor for another dry run.
  if (!work.options.dryRun && !(await bindBatchDigest(tx, name, { ...bound, owner: work.batchId }, work.options.force)))
    return false
  const { reservation } = work
  if (reservation && !(await answerSubmissionKey(tx, reservation.name, reservation.owner, bound))) {
    throw await lostKey(tx, reservation.name)
  }
  return true
}

async function enqueueAll(tx: Tx, deps: IntakeDeps, work: NewBatchWork, files: readonly FileChunks[]): Promise<void> {
  const { jurisdiction, lane } = work.options
  const job = (subjectId: string): NewJob => ({ jurisdiction, subjectId, generation: 1, lane })
  const queued = files.flatMap(file => file.rows.filter(chunk => chunk.generation === 1))
  const jobs = {
    split: files.filter(file => file.state !== 'split').map(file => job(file.id)),
    document: queued.filter(chunk => chunk.kind === 'document').map(chunk => job(chunk.id)),
    chunk: queued.filter(chunk => chunk.kind !== 'document').map(chunk => job(chunk.id))
  }
  await enqueueJobs(deps.boss, tx, 'split', jobs.split)
  await enqueueJobs(deps.boss, tx, 'document', jobs.document)
  await enqueueJobs(deps.boss, tx, 'chunk', jobs.chunk)
}

const namedBy = ({ options, answer }: NewBatchWork): Named => ({
  jurisdiction: options.jurisdiction,
  profile: options.profile,
  manifestVersion: answer.manifest_version
})

/** Answers the number of the manifest. */
async function insertAll(tx: Tx, deps: IntakeDeps, work: NewBatchWork): Promise<number> {
  const { batchId, options, principal } = work
  const { jurisdiction } = options
  const scope = {
    jurisdiction,
    batchId,
    manifestVersion: work.answer.manifest_version,
    actor: principal,
    commitId: deps.newId()
  }
  crashPoint('intake.keys-bound')
  const manifest = await ensureNamed(tx, deps.pool, namedBy(work))
  const hashes = await appendEntries(tx, scope, entriesOf(work))
  crashPoint('intake.entries-written')
  const hashOf = (id: string): Buffer => hashes.get(id) ?? Buffer.alloc(0)
  const { profile, source, lane, sheet, encoding, dryRun } = options
  await insertBatch(tx, {
    jurisdiction,
    id: batchId,
    profile,
    source,
    lane,
    submitter: principal,
    options: {
      ...(sheet === null ? {} : { sheet }),
      ...(encoding === null ? {} : { encoding }),
      ...(dryRun ? { dry_run: true } : {})
    },
    digest: work.digest,
    manifest,
    receivedHash: hashOf(batchId)
  })
  crashPoint('intake.batch-inserted')
  const files = withChunks(deps, work.files)
  const rows = files.map(
    (file): NewFile => ({
      ...file,
      archiveId: null,
      generation: file.state === 'split' ? 0 : 1,
      auditHash: hashOf(file.id)
    })
  )
  await insertFiles(tx, { jurisdiction, batchId }, rows)
  for (const file of files) {
    const owner = { jurisdiction, batchId, fileId: file.id, fileNumber: file.number }
    if (file.rows.length > 0) await insertChunks(tx, owner, file.rows)
  }
  crashPoint('intake.chunks-inserted')
  await enqueueAll(tx, deps, work, files)
  crashPoint('intake.before-commit')
  return manifest
}

/**
 * Makes a batch durable with its files, chunks, audit entries, jobs and the answer under its keys, all in one
 * transaction. False, and nothing written, when another live batch holds the same content; a request for the same
 * content that is being committed at this moment is waited for. Throws `IDEMPOTENCY_RUNNING` when the key was lost.
 */
export async function recordBatch(deps: IntakeDeps, work: NewBatchWork): Promise<boolean> {
  const manifest = await withTransaction(deps.pool, async tx =>
    (await bindKeys(tx, deps, work)) ? insertAll(tx, deps, work) : undefined
  )
  crashPoint('intake.committed')
  if (manifest === undefined) return false
  rememberNamed(deps.pool, namedBy(work), manifest)
  return true
}
