import { readCommitEntries, readCommits } from '../../db/log/entries.ts'
import { type ReceiptEntry, readEntriesOf } from '../../db/log/receipts.ts'
import type { Tx } from '../../db/pool.ts'
import { AppError } from '../../errors.ts'
import { leafText } from '../log/tree/leaf.ts'
import { inclusionPath, type RangeRoot } from '../log/tree/paths.ts'
import type { ToldEntry } from './fate.ts'
import type { ReceiptCommit } from './form.ts'

/** What sections of one receipt are made with. */
export interface SectionScope {
  readonly tx: Tx
  readonly jurisdiction: string
  /** Size of the log under the checkpoint. */
  readonly size: number
  readonly rootOf: RangeRoot
}

/** The commits that tell of some subjects, and each subject's entries in order. */
export interface Told {
  readonly commits: readonly ReceiptCommit[]
  readonly chains: ReadonlyMap<string, readonly ToldEntry[]>
}

const commitOf = ({ entry }: ReceiptEntry): string => {
  const at = entry.indexOf('"commit":"')
  return entry.subarray(at + 10, at + 46).toString('latin1')
}

type Placed = Awaited<ReturnType<typeof readCommits>>[number] & { readonly leafIndex: number }

/** Entries under the checkpoint: of each chain those from its beginning, without a gap. */
function coveredOf(entries: readonly ReceiptEntry[], commits: ReadonlyMap<string, Placed>): ReceiptEntry[] {
  const ends = new Map<string, number>()
  return entries.filter(one => {
    const isNext = one.seq === (ends.get(one.subjectId) ?? 0) + 1 && commits.has(commitOf(one))
    if (isNext) ends.set(one.subjectId, one.seq)
    return isNext
  })
}

async function toCommit(scope: SectionScope, commit: Placed, own: readonly ReceiptEntry[]): Promise<ReceiptCommit> {
  const { tx, jurisdiction, size, rootOf } = scope
  const named = new Map(own.map(one => [`${one.subjectId}/${one.seq}`, one]))
  const isWhole = own.length === commit.entries
  // In the order of their leaves: that of subjects and numbers.
  const all = isWhole ? own : await readCommitEntries(tx, jurisdiction, [commit.id])
  return {
    leaf: leafText({ jurisdiction, ...commit }),
    index: commit.leafIndex,
    path: (await inclusionPath(rootOf, commit.leafIndex, size)).map(hash => hash.toString('base64')),
    entries: all.map(one => {
      const found = named.get(`${one.subjectId}/${one.seq}`)
      return found ? found.entry.toString('utf8') : { hash: one.hash.toString('hex') }
    })
  }
}

/**
 * Reads what the log says of some subjects: every commit under the checkpoint that has entries of theirs, with its path.
 * Throws `NOT_SEALED` for a subject without a first entry under it.
 */
export async function readTold(
  scope: SectionScope,
  subjectIds: readonly string[],
  chunkIds: readonly string[]
): Promise<Told> {
  const { tx, jurisdiction, size } = scope
  const entries = await readEntriesOf(tx, jurisdiction, subjectIds, chunkIds)
  const found = await readCommits(tx, jurisdiction, [...new Set(entries.map(commitOf))])
  const placed = found.filter((one): one is Placed => one.leafIndex !== null && one.leafIndex < size)
  const covered = coveredOf(entries, new Map(placed.map(one => [one.id, one])))
  const byCommit = Map.groupBy(covered, commitOf)
  const commits: ReceiptCommit[] = []
  for (const commit of placed.toSorted((a, b) => a.leafIndex - b.leafIndex)) {
    const own = byCommit.get(commit.id)
    if (own) commits.push(await toCommit(scope, commit, own))
  }
  const chains = Map.groupBy(covered, one => one.subjectId)
  if (subjectIds.some(id => !chains.has(id))) {
    throw new AppError(
      'NOT_SEALED',
      'An entry of this batch is not under a checkpoint yet. Ask again in a few seconds.'
    )
  }
  const toldOf = ({ entry }: ReceiptEntry): ToldEntry => JSON.parse(entry.toString('utf8')) as ToldEntry
  return { commits, chains: new Map([...chains].map(([id, chain]) => [id, chain.map(toldOf)])) }
}
