import { crashPoint } from '../crash-points.ts'
import { isInfrastructureFault, toDatabaseError } from '../db/sqlstate.ts'
import { answerSubmissionKey, findBatchByDigest } from '../db/submission-keys.ts'
import { getMapping, type MappingRow } from '../db/work/source-mappings.ts'
import { AppError } from '../errors.ts'
import { payloadKey } from '../storage/payload-store.ts'
import { batchDigest, requestFingerprint } from './fingerprints.ts'
import { idempotencyKeyOf, type Reservation, type Reserved, reserve } from './idempotency.ts'
import { planFile } from './plan-files.ts'
import { discardFiles, type Received, receiveFiles } from './receive-files.ts'
import { type NewBatchWork, recordBatch, type StoredFile } from './record-batch.ts'
import { addField, asksForDryRun, type GivenFields, requestOptions } from './request-fields.ts'
import type { Accepted, BatchAnswer, IntakeDeps, ReceivedFile, RequestOptions, Submission } from './submission.ts'

interface Identity {
  readonly options: RequestOptions
  /** How files of its source are read. */
  readonly mapping: MappingRow | null
  readonly fingerprint: Buffer
  readonly digest: Buffer
}

/** Fields of the query are checked before the body is read when they are complete, so that a refusal costs nothing. */
function queryFields(deps: IntakeDeps, submission: Submission): GivenFields {
  const fields: GivenFields = new Map()
  for (const [name, value] of Object.entries(submission.query)) addField(fields, name, value)
  if (fields.has('jurisdiction') && fields.has('profile')) {
    submission.authorize(requestOptions(fields, deps.profiles).jurisdiction)
  }
  return fields
}

/** The answer of an earlier request under the same key. Throws `IDEMPOTENCY_MISMATCH` when that one was another. */
function replayOf(reserved: Extract<Reserved, { kind: 'answered' }>, fingerprint: Buffer): Accepted {
  if (!reserved.earlier.fingerprint?.equals(fingerprint)) {
    throw new AppError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used for other content. Use a new key.')
  }
  return { answer: reserved.earlier.answer as unknown as BatchAnswer, replayed: true }
}

/** The answer of a live batch of the same content, which is then bound to this request's own key too. */
async function twinOf(
  deps: IntakeDeps,
  { options, digest, fingerprint }: Identity,
  reservation: Reservation | undefined
): Promise<Accepted | undefined> {
  try {
    const twin = await findBatchByDigest(deps.pool, { scope: 'digest', key: digest.toString('hex') })
    if (!twin) return undefined
    if (reservation) {
      await answerSubmissionKey(deps.pool, reservation.name, reservation.owner, {
        jurisdiction: options.jurisdiction,
        fingerprint,
        batchId: twin.batchId,
        answer: twin.answer,
        ttlSeconds: deps.idempotencyTtlSeconds
      })
    }
    return { answer: twin.answer as unknown as BatchAnswer, replayed: true }
  } catch (error) {
    throw toDatabaseError(error)
  }
}

function answerOf(
  batchId: string,
  options: RequestOptions,
  version: string,
  files: readonly StoredFile[]
): BatchAnswer {
  const self = `/v1/batches/${batchId}`
  const { profile, jurisdiction, source, lane, dryRun } = options
  return {
    id: batchId,
    state: 'queued',
    profile,
    jurisdiction,
    source,
    lane,
    ...(dryRun ? { dry_run: true as const } : {}),
    manifest_version: version,
    files: files.map(file => ({
      id: file.id,
      filename: file.filename,
      media_type: file.mediaType,
      size: file.size,
      sha256: file.sha256.toString('hex')
    })),
    links: {
      self,
      records: `${self}/records`,
      progress: `${self}/progress`,
      quarantine: `/v1/quarantine?batch_id=${batchId}`
    }
  }
}

async function storeFiles(
  deps: IntakeDeps,
  options: RequestOptions,
  files: readonly ReceivedFile[]
): Promise<{ readonly file: ReceivedFile; readonly id: string; readonly payloadUri: string }[]> {
  const ids = files.map(() => deps.newId())
  const uris = await deps.store.commit(
    files.map((file, i) => ({
      spooled: { name: file.spoolName, size: file.size, sha256: file.sha256 },
      key: payloadKey(options.jurisdiction, ids[i] ?? '')
    }))
  )
  return files.map((file, i) => ({ file, id: ids[i] ?? '', payloadUri: uris[i] ?? '' }))
}

async function removePayloads(deps: IntakeDeps, stored: readonly { readonly payloadUri: string }[]): Promise<void> {
  await Promise.allSettled(stored.map(({ payloadUri }) => deps.store.remove(payloadUri)))
}

/** Stores the files and records the batch; undefined when a live batch of the same content was there first. */
async function makeBatch(
  deps: IntakeDeps,
  submission: Submission,
  identity: Identity,
  work: { readonly files: readonly ReceivedFile[]; readonly reservation: Reservation | undefined }
): Promise<Accepted | undefined> {
  const { options } = identity
  const stored = await storeFiles(deps, options, work.files)
  crashPoint('intake.stored')
  try {
    const files: StoredFile[] = []
    for (const { file, id, payloadUri } of stored) {
      files.push({
        ...file,
        ...(await planFile(deps, { ...options, mapping: identity.mapping }, file, payloadUri)),
        id,
        payloadUri
      })
    }
    crashPoint('intake.planned')
    const batchId = deps.newId()
    const version = deps.profiles.get(options.profile)?.manifestVersion ?? ''
    const answer = answerOf(batchId, options, version, files)
    const batch: NewBatchWork = {
      ...identity,
      batchId,
      principal: submission.principal,
      files,
      answer,
      reservation: work.reservation
    }
    if (await recordBatch(deps, batch)) return { answer, replayed: false }
    await removePayloads(deps, stored)
    return undefined
  } catch (error) {
    // After a lost connection the batch may exist all the same: its payloads stay, and the sweeper takes them if not.
    if (!isInfrastructureFault(error)) await removePayloads(deps, stored)
    throw error
  }
}

async function mappingOf(deps: IntakeDeps, options: RequestOptions): Promise<MappingRow | null> {
  try {
    return (await getMapping(deps.pool, options)) ?? null
  } catch (error) {
    throw toDatabaseError(error)
  }
}

async function identify(deps: IntakeDeps, submission: Submission, received: Received): Promise<Identity> {
  const options = requestOptions(received.fields, deps.profiles)
  submission.authorize(options.jurisdiction)
  if (options.dryRun && !asksForDryRun(submission.query)) {
    throw new AppError('FIELD_INVALID', 'Send "dry_run" in the query of the address, not in the form.', {
      details: { field: 'dry_run' }
    })
  }
  const mapping = await mappingOf(deps, options)
  return {
    options,
    mapping,
    fingerprint: requestFingerprint(options, received.files),
    digest: batchDigest(options, received.files, mapping?.digest)
  }
}

/** An earlier answer that stands for this submission. */
async function earlierAnswer(
  deps: IntakeDeps,
  identity: Identity,
  reserved: Reserved | undefined
): Promise<Accepted | undefined> {
  if (reserved?.kind === 'answered') return replayOf(reserved, identity.fingerprint)
  const { force, dryRun } = identity.options
  return force || dryRun ? undefined : twinOf(deps, identity, reserved?.reservation)
}

async function settle(
  deps: IntakeDeps,
  submission: Submission,
  received: Received,
  reserved: Reserved | undefined
): Promise<Accepted> {
  const reservation = reserved?.kind === 'held' ? reserved.reservation : undefined
  let inSpool = true
  try {
    const identity = await identify(deps, submission, received)
    const earlier = await earlierAnswer(deps, identity, reserved)
    if (earlier) return earlier
    inSpool = false
    const made = await makeBatch(deps, submission, identity, { files: received.files, reservation })
    const answer = made ?? (await twinOf(deps, identity, reservation))
    if (answer) return answer
    throw new AppError('DATABASE_CONFLICT', 'Another request for the same content was ended meanwhile. Try again.')
  } finally {
    if (inSpool) await discardFiles(deps.store, received.files)
  }
}

/**
 * Takes a submission in. Returns only when every byte is stored durably and the batch, its audit entries and its jobs are
 * committed; when it throws, nothing of it remains except what a sweep removes. The same content within the window is
 * answered from the first batch, and of identical requests at the same moment one makes the batch.
 */
export async function acceptBatch(deps: IntakeDeps, submission: Submission): Promise<Accepted> {
  const fields = queryFields(deps, submission)
  const key = idempotencyKeyOf(submission.idempotencyKey)
  const { principal } = submission
  const scope = asksForDryRun(submission.query) ? `${principal} dry run` : principal
  const reserved = key === undefined ? undefined : await reserve(deps, { scope, key })
  crashPoint('intake.key-reserved')
  try {
    const received = await receiveFiles(deps, submission, fields)
    crashPoint('intake.received')
    return await settle(deps, submission, received, reserved)
  } finally {
    if (reserved?.kind === 'held') await reserved.reservation.release()
  }
}
