import {
  type CommitEntry,
  type CommitPlace,
  listCommits,
  type PlacedCommit,
  readCommitEntries
} from '../../db/log/entries.ts'
import type { Queryable } from '../../db/pool.ts'

/** Entries that one question looks through: what bounds its time. */
const LOOKED_AT = 20_000
/** Commits read at once, and entries of them. */
const COMMITS = 100
const ENTRIES = 5000

/** A commit, and how many of its entries that fit were answered already. */
export interface EntryPlace extends CommitPlace {
  readonly skip: number
}

export interface EntryFilter {
  readonly jurisdiction: string
  readonly subject: string | undefined
  readonly batch: string | undefined
  readonly actor: string | undefined
  readonly kind: string | undefined
  readonly from: string | null
  readonly to: string | null
  readonly after: EntryPlace | null
  readonly limit: number
}

interface Members {
  readonly actor?: unknown
  readonly batch?: unknown
  readonly kind?: unknown
}

function fits(filter: EntryFilter, entry: CommitEntry): boolean {
  if (filter.subject !== undefined && entry.subjectId !== filter.subject.toLowerCase()) return false
  if (filter.batch === undefined && filter.actor === undefined && filter.kind === undefined) return true
  const { actor, batch, kind } = JSON.parse(entry.entry.toString('utf8')) as Members
  return (
    (filter.batch === undefined || batch === filter.batch.toLowerCase()) &&
    (filter.actor === undefined || actor === filter.actor) &&
    (filter.kind === undefined || kind === filter.kind)
  )
}

/** The first commits of a list that together have no more than a bound of entries, and at least one. */
function someOf(commits: readonly PlacedCommit[]): readonly PlacedCommit[] {
  let entries = 0
  const end = commits.findIndex((commit, i) => {
    entries += commit.entries
    return i > 0 && entries > ENTRIES
  })
  return end < 0 ? commits : commits.slice(0, end)
}

/** Commits in order with their entries, read in bounded pieces; the one that a page ended in is the first again. */
async function* commitsOf(db: Queryable, filter: EntryFilter) {
  const { jurisdiction, from, to, after } = filter
  let before: CommitPlace | null = after
  let isFirst = after !== null && after.skip > 0
  for (;;) {
    const listed = await listCommits(db, jurisdiction, { from, to, before, limit: COMMITS, withPlace: isFirst })
    isFirst = false
    for (let left: readonly PlacedCommit[] = listed; left.length > 0; ) {
      const some = someOf(left)
      const entries = await readCommitEntries(
        db,
        jurisdiction,
        some.map(commit => commit.id)
      )
      for (const commit of some) {
        yield { commit, entries: entries.filter(entry => entry.commitId === commit.id) }
      }
      left = left.slice(some.length)
    }
    const last = listed.at(-1)
    if (!last || listed.length < COMMITS) return
    before = { at: last.committedAt, id: last.id }
  }
}

/**
 * Entries that fit a filter, the newest commit first, those of a commit in the order of their subjects. Looks through a
 * bounded number; `next` says where to go on, and is null when everything was seen.
 */
export async function searchEntries(
  db: Queryable,
  filter: EntryFilter
): Promise<{ readonly entries: readonly CommitEntry[]; readonly next: EntryPlace | null }> {
  const found: CommitEntry[] = []
  let looked = 0
  for await (const { commit, entries } of commitsOf(db, filter)) {
    const place = { at: commit.committedAt, id: commit.id }
    const skip = filter.after?.id === commit.id ? filter.after.skip : 0
    const fitting = entries.filter(entry => fits(filter, entry)).slice(skip)
    const room = filter.limit - found.length
    found.push(...fitting.slice(0, room))
    if (fitting.length > room) return { entries: found, next: { ...place, skip: skip + room } }
    looked += Math.max(1, entries.length)
    if (found.length === filter.limit || looked >= LOOKED_AT) return { entries: found, next: { ...place, skip: 0 } }
  }
  return { entries: found, next: null }
}
