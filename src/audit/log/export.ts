import type { LogCommit } from '../../db/log/commits.ts'
import { type CommitEntry, readCommitEntries } from '../../db/log/entries.ts'
import { insertExport } from '../../db/log/exports.ts'
import type { Pool, Tx } from '../../db/pool.ts'
import { withTransaction } from '../../db/transaction.ts'
import { type ChainSubject, streamSubjects } from '../../db/verify/chains.ts'
import { streamLeaves, streamUnsealed } from '../../db/verify/log.ts'
import { withSnapshot } from '../../db/verify/snapshot.ts'
import type { NewId } from '../../model/ids.ts'
import { appendEntries } from '../append-entries.ts'
import { leafText } from './tree/leaf.ts'

/** Commits and entries read by one statement. */
const COMMITS = 500
const ENTRIES = 5000

interface Counts {
  commits: number
  entries: number
  subjects: number
}

const line = (value: object): string => `${JSON.stringify(value)}\n`

function entryLine({ subjectId, seq, entry }: CommitEntry): string {
  const text = entry.toString('utf8')
  const bytes = Buffer.from(text).equals(entry) ? { entry: text } : { base64: entry.toString('base64') }
  return line({ type: 'entry', subject: subjectId, seq, ...bytes })
}

function subjectLine({ id, kind, auditSeq, auditHash, digest }: ChainSubject): string {
  const fingerprint = digest === null ? {} : { [kind === 'file' ? 'sha256' : 'key']: digest.toString('hex') }
  return line({ type: 'subject', kind, id, seq: auditSeq, hash: auditHash.toString('hex'), ...fingerprint })
}

/** Groups commits so that each group has a bounded number of entries. */
async function* groups<T extends LogCommit>(commits: AsyncIterable<T>): AsyncGenerator<T[]> {
  let group: T[] = []
  let entries = 0
  for await (const commit of commits) {
    if (group.length === COMMITS || (group.length > 0 && entries + commit.entries > ENTRIES)) {
      yield group
      group = []
      entries = 0
    }
    group.push(commit)
    entries += commit.entries
  }
  if (group.length > 0) yield group
}

type Placed = LogCommit & { readonly leafIndex?: number }

async function* commitLines(
  tx: Tx,
  jurisdiction: string,
  commits: AsyncIterable<Placed>,
  counts: Counts
): AsyncGenerator<string> {
  for await (const group of groups(commits)) {
    const found = await readCommitEntries(
      tx,
      jurisdiction,
      group.map(commit => commit.id)
    )
    const entries = Map.groupBy(found, entry => entry.commitId)
    for (const commit of group) {
      const own = entries.get(commit.id) ?? []
      counts.commits += 1
      counts.entries += own.length
      const leaf = leafText({ jurisdiction, ...commit })
      yield line({ type: 'commit', index: commit.leafIndex ?? null, leaf }) + own.map(entryLine).join('')
    }
  }
}

/** The lines of an export, read in a transaction that sees one state of the database. */
export async function* exportLines(tx: Tx, jurisdiction: string): AsyncGenerator<string> {
  const counts: Counts = { commits: 0, entries: 0, subjects: 0 }
  yield line({ type: 'export', form: 1, jurisdiction })
  yield* commitLines(tx, jurisdiction, streamLeaves(tx, jurisdiction), counts)
  yield* commitLines(tx, jurisdiction, streamUnsealed(tx, jurisdiction), counts)
  for await (const subject of streamSubjects(tx, jurisdiction)) {
    counts.subjects += 1
    yield subjectLine(subject)
  }
  yield line({ type: 'end', ...counts })
}

/** Writes into the audit trail who takes an export, before it begins. */
export async function noteExport(
  deps: { readonly pool: Pool; readonly newId: NewId },
  taken: { readonly jurisdiction: string; readonly actor: string }
): Promise<void> {
  const { jurisdiction, actor } = taken
  const id = deps.newId()
  await withTransaction(deps.pool, async tx => {
    const scope = { jurisdiction, batchId: id, manifestVersion: 'export@1', actor, commitId: deps.newId() }
    const hashes = await appendEntries(tx, scope, [
      { subjectId: id, kind: 'export', seq: 1, previous: null, transitions: [['downloaded', 0]] }
    ])
    await insertExport(tx, { jurisdiction, id, actor, hash: hashes.get(id) ?? Buffer.alloc(0) })
  })
}

/**
 * Hands the lines of a jurisdiction's export to `write`, from one unchanging view of the database: every commit in the
 * order of the log with the exact bytes of its entries, those not sealed yet, then what the rows know of their chains.
 */
export async function exportLog(
  pool: Pool,
  jurisdiction: string,
  write: (lines: AsyncIterable<string>) => Promise<void>
): Promise<void> {
  await withSnapshot(pool, tx => write(exportLines(tx, jurisdiction)))
}
