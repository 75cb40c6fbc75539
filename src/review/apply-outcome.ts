import type { AuditEntry } from '../audit/append-entries.ts'
import { ensureManifest } from '../db/manifests.ts'
import type { Tx } from '../db/pool.ts'
import { lockChunks, moveCounts } from '../db/review/chunk-counts.ts'
import { keepDecision } from '../db/review/decided-contents.ts'
import {
  changeFollowers,
  changeRecords,
  type Follower,
  type HeldRecord,
  insertVersions,
  lockFollowers,
  type RecordChange
} from '../db/review/held-records.ts'
import { releaseHeldContents } from '../db/work/held-contents.ts'
import type { Json } from '../model/json.ts'
import { type Reason, reasonOf } from '../model/reasons.ts'
import type { RecordState, Transition } from '../model/states.ts'
import { appendChanges } from '../pipeline/commit/append-changes.ts'
import { type HeadOutcome } from '../pipeline/commit/plan-heads.ts'
import { settleHeads } from '../pipeline/commit/settle-records.ts'
import { judgedVersion } from '../profiles/manifest-version.ts'
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
  /** The key it had while it was held unread or as refused, when it has been given that of its content now. */
  readonly unreadKey?: string
  /** The record it follows, or whose rejection it repeats. */
  readonly duplicateOf?: string | null
  /** Names of corrected fields, the reason given: never a value. */
  readonly detail: { readonly [name: string]: Json }
}

/** A subject of the decision: the record itself, or one that follows it. */
type Subject = Follower

export interface Settled extends Outcome {
  /** By record id; empty unless the outcome is acceptance. */
  readonly heads: ReadonlyMap<string, HeadOutcome>
}

export interface OutcomeWork {
  readonly record: HeldRecord
  readonly profile: Profile
  /** Of the rules of the jurisdiction that it was judged under; null without any. */
  readonly rulesDigest: string | null
  readonly actor: string
}

/** Settles heads for the record and its followers, each at its own place: what came between them keeps its rank. */
async function settle(tx: Tx, record: HeldRecord, followers: readonly Subject[], outcome: Outcome): Promise<Settled> {
  const { naturalKey } = outcome
  const heads = new Map<string, HeadOutcome>()
  if (outcome.state !== 'accepted' || naturalKey === null) return { ...outcome, heads }
  for (const one of [record, ...followers]) {
    const owner = {
      jurisdiction: record.jurisdiction,
      profile: record.profile,
      batchId: one.batchId,
      fileNumber: one.fileNumber
    }
    const { id: recordId, idempotencyKey, item } = one
    const contender = { recordId, naturalKey, idempotencyKey, item, content: outcome.content }
    const head = (await settleHeads(tx, owner, [contender])).get(one.id)
    if (!head) continue
    heads.set(one.id, head)
    if (head.duplicateOf !== null) continue
    await insertVersions(tx, record, [{ ...one, naturalKey, version: head.version, content: outcome.content }])
  }
  return { ...outcome, heads }
}

const entryOf = (
  subject: Subject,
  what: Pick<AuditEntry, 'reasons' | 'transitions'> & { readonly detail: { readonly [name: string]: Json } }
): AuditEntry => ({
  subjectId: subject.id,
  kind: 'record',
  seq: subject.auditSeq + 1,
  previous: subject.auditHash,
  idempotencyKey: subject.idempotencyKey,
  ...what
})

const versionOf = (settled: Settled, id: string): { readonly version?: number } => {
  const head = settled.heads.get(id)
  return head ? { version: head.version } : {}
}

/** Under which key earlier entries of the chain stand. */
const adoptionOf = ({ unreadKey }: Outcome): { readonly unread_key?: string } =>
  unreadKey === undefined ? {} : { unread_key: unreadKey }

/** Whom the followers of a record that stays held follow. */
const leaderOf = (record: HeldRecord, outcome: Outcome): string => outcome.duplicateOf ?? record.id

/** What an outcome says in the chain of its own record. */
export function ownEntry(record: HeldRecord, settled: Settled): AuditEntry {
  const { state, detail } = settled
  return entryOf(record, {
    reasons: settled.reasons.map(reason => reason.code),
    detail: { ...detail, ...adoptionOf(settled), ...versionOf(settled, record.id), revision: record.revision + 1 },
    transitions: [...settled.transitions, state].map(transition => [transition, 0] as const)
  })
}

function entriesOf(record: HeldRecord, settled: Settled, followers: readonly Subject[]): AuditEntry[] {
  const transitions = [[settled.state, 0]] as const
  const follows = settled.state === 'quarantined' ? leaderOf(record, settled) : record.id
  return [
    ownEntry(record, settled),
    ...followers.map(one =>
      entryOf(one, { detail: { follows, ...adoptionOf(settled), ...versionOf(settled, one.id) }, transitions })
    )
  ]
}

async function writeFollowers(tx: Tx, record: HeldRecord, settled: Settled, ends: readonly Subject[]): Promise<void> {
  if (ends.length === 0) return
  const isAccepted = settled.state === 'accepted'
  const isHeld = settled.state === 'quarantined'
  const held = settled.reasons.filter(reason => reason.code !== 'DUPLICATE_RECORD')
  await changeFollowers(
    tx,
    record.jurisdiction,
    {
      state: settled.state,
      naturalKey: settled.naturalKey,
      reasons: isAccepted ? [] : isHeld ? [...held, reasonOf('DUPLICATE_RECORD')] : settled.reasons,
      decision: settled.decision
    },
    ends.map(({ id }) => {
      const head = settled.heads.get(id)
      return {
        id,
        version: head?.version ?? null,
        duplicateOf: isAccepted ? (head?.duplicateOf ?? null) : isHeld ? leaderOf(record, settled) : record.id
      }
    })
  )
}

/** From the held records of its chunk to what it has become. */
export function moveOf(settled: Settled, subject: Pick<Subject, 'id' | 'chunkId'>) {
  const { chunkId } = subject
  if (settled.state !== 'accepted') return { chunkId, accepted: 0, duplicate: 0, rejected: 1 }
  const isDuplicate = settled.heads.get(subject.id)?.duplicateOf != null
  return { chunkId, accepted: isDuplicate ? 0 : 1, duplicate: isDuplicate ? 1 : 0, rejected: 0 }
}

/** Followers are locked only after the content was let go of: until then a commit may still add one. */
async function endFollowers(tx: Tx, record: HeldRecord, outcome: Outcome): Promise<Subject[]> {
  // Of a record that stays held they learn only when it has been given another key.
  if (outcome.state === 'quarantined') {
    return outcome.unreadKey === undefined ? [] : lockFollowers(tx, record.jurisdiction, record.id)
  }
  await releaseHeldContents(tx, record.jurisdiction, [record.id])
  return lockFollowers(tx, record.jurisdiction, record.id)
}

async function writeRecord(tx: Tx, work: OutcomeWork, settled: Settled): Promise<void> {
  const { record, profile, rulesDigest } = work
  const manifest = await ensureManifest(tx, judgedVersion(profile, rulesDigest), profile.name)
  await changeRecords(tx, record.jurisdiction, manifest, [changeOf(record, settled)])
}

/** What a record has become by what was settled for it. */
export function changeOf(record: Pick<HeldRecord, 'id'>, settled: Settled): RecordChange {
  const head = settled.heads.get(record.id)
  return {
    ...settled,
    id: record.id,
    version: head?.version ?? null,
    duplicateOf: head?.duplicateOf ?? settled.duplicateOf ?? null,
    content: settled.state === 'accepted' ? null : settled.content
  }
}

/**
 * Makes what was decided about a held record durable: the record's next revision, its version and head when it is
 * accepted, the records that follow it, their chunks' counts and all audit entries. Runs inside the caller's transaction,
 * which holds the record's lock.
 */
export async function applyOutcome(tx: Tx, deps: ReviewDeps, work: OutcomeWork, outcome: Outcome): Promise<void> {
  const { record, profile, rulesDigest } = work
  const followers = await endFollowers(tx, record, outcome)
  const settled = await settle(tx, record, followers, outcome)
  const scope = {
    jurisdiction: record.jurisdiction,
    batchId: record.batchId,
    manifestVersion: judgedVersion(profile, rulesDigest),
    actor: work.actor,
    commitId: deps.newId()
  }
  const chunkIds = [record, ...followers].map(one => one.chunkId)
  await lockChunks(tx, record.jurisdiction, chunkIds)
  await writeRecord(tx, work, settled)
  await writeFollowers(tx, record, settled, followers)
  await appendChanges(tx, scope, entriesOf(record, settled, followers))
  if (outcome.state === 'quarantined') return
  // Another run decides nothing: only what a person made of a content holds for it when it comes again.
  if (outcome.decision !== null) await keepDecision(tx, record)
  await moveCounts(
    tx,
    record.jurisdiction,
    [record, ...followers].map(one => moveOf(settled, one))
  )
}
