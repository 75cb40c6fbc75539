import { ensureManifest } from '../db/manifests.ts'
import type { Tx } from '../db/pool.ts'
import { lockChunks, moveCounts } from '../db/review/chunk-counts.ts'
import { changeRecords, type HeldRecord, insertVersions, lockFollowersOf } from '../db/review/held-records.ts'
import { releaseHeldContents } from '../db/work/held-contents.ts'
import { AppError } from '../errors.ts'
import { appendChanges } from '../pipeline/commit/append-changes.ts'
import { contendersOf } from '../pipeline/commit/place-records.ts'
import { settleHeads } from '../pipeline/commit/settle-records.ts'
import { judgedVersion } from '../profiles/manifest-version.ts'
import type { Profile } from '../profiles/profile.ts'
import { changeOf, moveOf, type Outcome, ownEntry, type Settled } from './apply-outcome.ts'
import type { ReviewDeps } from './review-deps.ts'

/** Held records of one file, each with what it has become; nothing follows any of them. */
export interface SetWork {
  readonly jurisdiction: string
  readonly batchId: string
  readonly fileNumber: number
  readonly profile: Profile
  /** Of the rules of the jurisdiction that they were judged under; null without any. */
  readonly rulesDigest: string | null
  readonly actor: string
  readonly outcomes: readonly { readonly record: HeldRecord; readonly outcome: Outcome }[]
}

/** Lets go of what ended records held. Throws `DATABASE_CONFLICT` when another record has come to follow one meanwhile. */
async function endHolding(tx: Tx, { jurisdiction, outcomes }: SetWork): Promise<void> {
  const ended = outcomes.filter(({ outcome }) => outcome.state !== 'quarantined').map(({ record }) => record.id)
  if (ended.length === 0) return
  await releaseHeldContents(tx, jurisdiction, ended)
  if ((await lockFollowersOf(tx, jurisdiction, ended)).length > 0) {
    throw new AppError('DATABASE_CONFLICT', 'A record came to follow one that was run again.')
  }
}

/** Records that others follow, and followers, are run one by one. */
const NOBODY_FOLLOWS: ReadonlyMap<string, string> = new Map()

async function settleSet(tx: Tx, work: SetWork): Promise<{ record: HeldRecord; settled: Settled }[]> {
  const byPlace = work.outcomes.toSorted((a, b) => a.record.item - b.record.item)
  const contenders = contendersOf(
    byPlace.map(({ record: { id, item, idempotencyKey }, outcome }) => ({ ...outcome, id, item, idempotencyKey })),
    NOBODY_FOLLOWS
  )
  const owner = { ...work, profile: work.profile.name }
  const heads = await settleHeads(tx, owner, contenders)
  const versions = byPlace.flatMap(({ record, outcome: { naturalKey, content } }) => {
    const head = heads.get(record.id)
    return head && head.duplicateOf === null && naturalKey !== null
      ? [{ ...record, naturalKey, version: head.version, content }]
      : []
  })
  if (versions.length > 0) await insertVersions(tx, owner, versions)
  return byPlace.map(({ record, outcome }) => ({ record, settled: { ...outcome, heads } }))
}

/**
 * Makes durable what many held records of a file have become by another run, as `applyOutcome` does for one, with a few
 * statements for all. Runs inside the caller's transaction, which holds the records' locks; nobody may follow them.
 */
export async function applySet(tx: Tx, deps: Pick<ReviewDeps, 'newId'>, work: SetWork): Promise<void> {
  if (work.outcomes.length === 0) return
  const { jurisdiction, batchId, profile, actor } = work
  const version = judgedVersion(profile, work.rulesDigest)
  await endHolding(tx, work)
  const ends = await settleSet(tx, work)
  await lockChunks(
    tx,
    jurisdiction,
    ends.map(({ record }) => record.chunkId)
  )
  const changes = ends.map(({ record, settled }) => changeOf(record, settled))
  await changeRecords(tx, jurisdiction, await ensureManifest(tx, version, profile.name), changes)
  const scope = { jurisdiction, batchId, manifestVersion: version, actor, commitId: deps.newId() }
  await appendChanges(
    tx,
    scope,
    ends.map(({ record, settled }) => ownEntry(record, settled))
  )
  const moves = ends.filter(({ settled }) => settled.state !== 'quarantined')
  if (moves.length > 0) {
    await moveCounts(
      tx,
      jurisdiction,
      moves.map(({ record, settled }) => moveOf(settled, record))
    )
  }
}
