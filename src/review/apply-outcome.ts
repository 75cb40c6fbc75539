import { type AuditEntry, appendEntries } from '../audit/append-entries.ts'
import { ensureManifest } from '../db/manifests.ts'
import type { Tx } from '../db/pool.ts'
import {
  changeFollowers,
  changeRecord,
  type Follower,
  type HeldRecord,
  insertVersion,
  lockFollowers,
  moveCounts
} from '../db/review/held-records.ts'
import { releaseHeldContents } from '../db/work/heads.ts'
import type { Json } from '../model/json.ts'
import type { Reason } from '../model/reasons.ts'
import type { RecordState, Transition } from '../model/states.ts'
import { type HeadOutcome } from '../pipeline/commit/plan-heads.ts'
import { settleHeads } from '../pipeline/commit/settle-records.ts'
import { manifestVersion } from '../profiles/manifest-version.ts'
import type { Profile } from '../profiles/profile.ts'
import type { ReviewDeps } from './review-deps.ts'

/** What a record has become by a decision or another run. */
export interface Outcome {
  readonly state: RecordState
  readonly naturalKey: string | null
  readonly confidence: number | null
  readonly reasons: readonly Reason[]
  readonly fields: Json
  readonly content: Json
  readonly decision: Json
  readonly diagnostic: Json
  /** What was done, in order, e.g. `corrected` then `released`. */
  readonly transitions: readonly Transition[]
  /** Names of corrected fields, the reason given: never a value. */
  readonly detail: { readonly [name: string]: Json }
}

interface Settled extends Outcome {
  readonly head: HeadOutcome | undefined
}

const entryOf = (
  subject: Pick<Follower, 'id' | 'auditSeq' | 'auditHash' | 'idempotencyKey'>,
  what: Pick<AuditEntry, 'reasons' | 'transitions'> & { readonly detail: { readonly [name: string]: Json } }
): AuditEntry => ({
  subjectId: subject.id,
  kind: 'record',
  seq: subject.auditSeq + 1,
  previous: subject.auditHash,
  idempotencyKey: Buffer.from(subject.idempotencyKey, 'hex'),
  ...what
})

async function settle(tx: Tx, record: HeldRecord, outcome: Outcome): Promise<Settled> {
  if (outcome.state !== 'accepted' || outcome.naturalKey === null) return { ...outcome, head: undefined }
  const contender = {
    recordId: record.id,
    naturalKey: outcome.naturalKey,
    idempotencyKey: record.idempotencyKey,
    item: record.item
  }
  const heads = await settleHeads(tx, record, [contender])
  return { ...outcome, head: heads.get(record.id) }
}

function entriesOf(record: HeldRecord, settled: Settled, followers: readonly Follower[]): AuditEntry[] {
  const { head, state, detail } = settled
  const version = head ? { version: head.version } : {}
  const own = entryOf(record, {
    reasons: settled.reasons.map(reason => reason.code),
    detail: { ...detail, ...version, revision: record.revision + 1 },
    transitions: [...settled.transitions, state].map(transition => [transition, 0] as const)
  })
  const transitions = [[state, 0]] as const
  return [own, ...followers.map(one => entryOf(one, { detail: { follows: record.id }, transitions }))]
}

async function writeFollowers(
  tx: Tx,
  record: HeldRecord,
  settled: Settled,
  followers: readonly Follower[],
  hashes: ReadonlyMap<string, Buffer>
): Promise<void> {
  if (followers.length === 0 || settled.state === 'quarantined') return
  await changeFollowers(
    tx,
    record.jurisdiction,
    {
      state: settled.state,
      naturalKey: settled.naturalKey,
      version: settled.head?.version ?? null,
      reasons: settled.state === 'rejected' ? settled.reasons : []
    },
    followers.map(one => ({ id: one.id, auditHash: hashes.get(one.id) ?? one.auditHash }))
  )
}

function movesOf(record: HeldRecord, settled: Settled, followers: readonly Follower[]) {
  const isAccepted = settled.state === 'accepted'
  const isDuplicate = isAccepted && settled.head?.duplicateOf != null
  const rejected = isAccepted ? 0 : 1
  return [
    {
      chunkId: record.chunkId,
      accepted: isAccepted && !isDuplicate ? 1 : 0,
      duplicate: isDuplicate ? 1 : 0,
      rejected
    },
    ...followers.map(one => ({ chunkId: one.chunkId, accepted: 0, duplicate: isAccepted ? 1 : 0, rejected }))
  ]
}

/**
 * Makes what was decided about a held record durable: the record's next revision, its version and head when it is
 * accepted, the records that follow it, their chunks' counts and all audit entries. Runs inside the caller's transaction,
 * which holds the record's lock.
 */
export async function applyOutcome(
  tx: Tx,
  deps: ReviewDeps,
  work: { readonly record: HeldRecord; readonly profile: Profile; readonly actor: string },
  outcome: Outcome
): Promise<void> {
  const { record, profile } = work
  const isOver = outcome.state !== 'quarantined'
  const followers = isOver ? await lockFollowers(tx, record.jurisdiction, record.id) : []
  const settled = await settle(tx, record, outcome)
  const version = manifestVersion(profile)
  const manifest = await ensureManifest(tx, version, profile.name)
  const scope = {
    jurisdiction: record.jurisdiction,
    batchId: record.batchId,
    manifestVersion: version,
    actor: work.actor,
    commitId: deps.newId()
  }
  const hashes = await appendEntries(tx, scope, entriesOf(record, settled, followers))
  const { head } = settled
  if (head && head.duplicateOf === null && settled.naturalKey !== null) {
    await insertVersion(tx, record, { naturalKey: settled.naturalKey, version: head.version, content: settled.content })
  }
  await changeRecord(tx, record, {
    ...settled,
    manifest,
    version: head?.version ?? null,
    duplicateOf: head?.duplicateOf ?? null,
    content: settled.state === 'accepted' ? null : settled.content,
    auditHash: hashes.get(record.id) ?? record.auditHash
  })
  if (!isOver) return
  await writeFollowers(tx, record, settled, followers, hashes)
  await releaseHeldContents(tx, record.jurisdiction, [record.id])
  await moveCounts(tx, record.jurisdiction, movesOf(record, settled, followers))
}
