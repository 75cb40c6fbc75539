import { getCheckpoint, latestCheckpoint, type StoredCheckpoint } from '../../db/log/checkpoints.ts'
import { type CommitEntry, type PlacedCommit, readCommitEntries, readCommits } from '../../db/log/entries.ts'
import type { Queryable } from '../../db/pool.ts'
import { AppError } from '../../errors.ts'
import { leafHash, rootOfHashes } from '../merkle.ts'
import { leafText } from './tree/leaf.ts'
import { consistencyPath, inclusionPath, type RangeRoot } from './tree/paths.ts'
import { rangeRoots, tileReader } from './tree/read-tree.ts'

/** What shows that an entry stands in the log under a checkpoint. */
export interface EntryProof {
  readonly commitId: string
  readonly committedAt: string
  /** Data of the commit's leaf in the log. */
  readonly leaf: string
  readonly leafIndex: number
  /** From the leaf to the checkpoint's root. */
  readonly logPath: readonly Buffer[]
  /** Place of the entry among those of its commit, and their number. */
  readonly entryIndex: number
  readonly entries: number
  /** From the entry to the commit's root. */
  readonly commitPath: readonly Buffer[]
}

/** An entry to be proved; its commit is cut out of its text. */
export interface ProvedEntry {
  readonly subjectId: string
  readonly seq: number
  readonly entry: Buffer
}

const commitOf = (entry: Buffer): string => {
  const at = entry.indexOf('"commit":"')
  return entry.subarray(at + 10, at + 46).toString('latin1')
}

const lost = (): AppError => new AppError('LOG_DAMAGED', 'An audit entry is of no commit. Run docket verify.')

const notSealed = (): AppError =>
  new AppError('NOT_SEALED', 'The newest entry is not under a checkpoint yet. Ask again in a few seconds.')

/** Entries of commits, by commit. */
function byCommit(entries: readonly CommitEntry[]): Map<string, CommitEntry[]> {
  const groups = new Map<string, CommitEntry[]>()
  for (const entry of entries) groups.set(entry.commitId, [...(groups.get(entry.commitId) ?? []), entry])
  return groups
}

async function proveIn(
  { subjectId, seq }: ProvedEntry,
  commit: PlacedCommit & { readonly jurisdiction: string },
  siblings: readonly CommitEntry[],
  log: { readonly rootOf: RangeRoot; readonly size: number }
): Promise<EntryProof> {
  const entryIndex = siblings.findIndex(one => one.subjectId === subjectId && one.seq === seq)
  if (commit.leafIndex === null || commit.leafIndex >= log.size) throw notSealed()
  if (entryIndex < 0) throw lost()
  const leaves = siblings.map(one => leafHash(one.hash))
  const within: RangeRoot = (from, to) => rootOfHashes(leaves.slice(from, to))
  return {
    commitId: commit.id,
    committedAt: commit.committedAt,
    leaf: leafText(commit),
    leafIndex: commit.leafIndex,
    logPath: await inclusionPath(log.rootOf, commit.leafIndex, log.size),
    entryIndex,
    entries: commit.entries,
    commitPath: await inclusionPath(within, entryIndex, leaves.length)
  }
}

/**
 * Proves entries of a jurisdiction under its newest checkpoint. Throws `NOT_SEALED` while one of them is under none, and
 * `LOG_DAMAGED` for an entry that is of no commit.
 */
export async function proveEntries(
  db: Queryable,
  jurisdiction: string,
  entries: readonly ProvedEntry[]
): Promise<{ readonly checkpoint: StoredCheckpoint; readonly proofs: EntryProof[] }> {
  const checkpoint = await latestCheckpoint(db, jurisdiction)
  if (!checkpoint) throw notSealed()
  const ids = [...new Set(entries.map(one => commitOf(one.entry)))]
  const commits = new Map((await readCommits(db, jurisdiction, ids)).map(commit => [commit.id, commit]))
  const siblings = byCommit(await readCommitEntries(db, jurisdiction, ids))
  const log = { size: checkpoint.size, rootOf: rangeRoots(tileReader(db, jurisdiction, checkpoint.size)) }
  const proofs: EntryProof[] = []
  for (const entry of entries) {
    const id = commitOf(entry.entry)
    const commit = commits.get(id)
    if (!commit) throw lost()
    proofs.push(await proveIn(entry, { ...commit, jurisdiction }, siblings.get(id) ?? [], log))
  }
  return { checkpoint, proofs }
}

/** Two checkpoints and what shows that the larger one's log begins with the smaller one's. Undefined when one is missing. */
export async function proveConsistency(
  db: Queryable,
  jurisdiction: string,
  from: number,
  to: number
): Promise<{ older: StoredCheckpoint; newer: StoredCheckpoint; path: Buffer[] } | undefined> {
  const [older, newer] = [await getCheckpoint(db, jurisdiction, from), await getCheckpoint(db, jurisdiction, to)]
  if (!older || !newer) return undefined
  const path = await consistencyPath(rangeRoots(tileReader(db, jurisdiction, to)), from, to)
  return { older, newer, path }
}
