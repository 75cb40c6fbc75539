import {
  type EntryFrame,
  type EntryHash,
  type EntryRow,
  insertAuditCommit,
  insertAuditEntries,
  type Timeline
} from '../db/audit-entries.ts'
import type { Tx } from '../db/pool.ts'
import { AppError } from '../errors.ts'
import { canonicalJson, type Json } from '../model/json.ts'
import type { Transition } from '../model/states.ts'
import { merkleRoot } from './merkle.ts'

export type SubjectKind = 'batch' | 'file' | 'record' | 'export'

/** What one transaction did to one subject. Holds codes, ids, counts and digests: never a submitted value. */
export interface AuditEntry {
  readonly subjectId: string
  readonly kind: SubjectKind
  /** 1 for a subject's first entry. */
  readonly seq: number
  /** Hash of the subject's entry before; for a record's first one that of its batch's first; null for a batch's and a file's. */
  readonly previous: Buffer | null
  /** Hex. */
  readonly idempotencyKey?: string
  /** Of an entry that changes a record: the commitment to what the record is after it, in hex; null once it is erased. */
  readonly content?: string | null | undefined
  readonly reasons?: readonly string[]
  /** Further facts: digests, counts, revision, version, names of corrected fields. */
  readonly detail?: { readonly [name: string]: Json }
  /** In order, each with how many milliseconds before this transaction it happened, or the time the database gave it. */
  readonly transitions: readonly (readonly [Transition, number | string])[]
}

export interface AuditScope {
  readonly jurisdiction: string
  readonly batchId: string
  readonly manifestVersion: string
  /** `worker:<id>`, `key:<id>` or `system:<name>`. */
  readonly actor: string
  /** Id of the commit row; a fresh one for each transaction. */
  readonly commitId: string
}

/** What all entries of a transaction share, for the statement that writes them. */
export const frameOf = (scope: AuditScope): EntryFrame => ({
  opening: `{"actor":${JSON.stringify(scope.actor)},"batch":"${scope.batchId}","commit":"${scope.commitId}",`,
  jurisdiction: `"jurisdiction":${JSON.stringify(scope.jurisdiction)},`,
  manifest: `","manifest":${JSON.stringify(scope.manifestVersion)},"previous":`
})

const rowOf = (entry: AuditEntry, timeline: number): EntryRow => ({
  subjectId: entry.subjectId,
  content: entry.content,
  kind: entry.kind,
  seq: entry.seq,
  idempotencyKey: entry.idempotencyKey ?? null,
  previous: entry.previous?.toString('hex') ?? null,
  reasons: entry.reasons && entry.reasons.length > 0 ? JSON.stringify(entry.reasons) : '[]',
  detail: entry.detail ? canonicalJson(entry.detail) : null,
  timeline
})

/** Distinct timelines of a set and, per entry, which of them it has: a chunk's records share a handful. */
function timelinesOf(entries: readonly AuditEntry[]): { timelines: Timeline[]; numbers: number[] } {
  const seen = new Map<string, number>()
  const byIdentity = new Map<object, number>()
  const timelines: Timeline[] = []
  const numbers = entries.map(({ transitions }) => {
    const known = byIdentity.get(transitions)
    if (known !== undefined) return known
    const key = JSON.stringify(transitions)
    let number = seen.get(key)
    if (number === undefined) {
      number = timelines.push(transitions) - 1
      seen.set(key, number)
    }
    byIdentity.set(transitions, number)
    return number
  })
  return { timelines, numbers }
}

/**
 * Writes the commit row of a transaction whose entries have been written, with the Merkle root over their hashes in the
 * order of subject ids. Throws when two entries were for one subject or one is missing.
 */
export async function sealEntries(
  tx: Tx,
  scope: AuditScope,
  written: readonly EntryHash[],
  expected: number
): Promise<ReadonlyMap<string, Buffer>> {
  const hashes = new Map(written.map(row => [row.subjectId, row.hash]))
  if (hashes.size !== expected) {
    throw new AppError('INTERNAL', 'A transaction did not write exactly one audit entry for each subject.')
  }
  const ordered = written.toSorted((a, b) => (a.subjectId < b.subjectId ? -1 : 1)).map(row => row.hash)
  const { jurisdiction, commitId: id } = scope
  await insertAuditCommit(tx, { jurisdiction, id, entries: expected, root: merkleRoot(ordered) })
  return hashes
}

/**
 * Writes the audit entries of this transaction and their commit row. Call it once per transaction. Answers each subject's
 * hash, which the caller stores with the subject. Guarantee: entries and the change they tell of become durable together
 * or not at all.
 */
export async function appendEntries(
  tx: Tx,
  scope: AuditScope,
  entries: readonly AuditEntry[]
): Promise<ReadonlyMap<string, Buffer>> {
  const { timelines, numbers } = timelinesOf(entries)
  const written = await insertAuditEntries(tx, {
    jurisdiction: scope.jurisdiction,
    frame: frameOf(scope),
    rows: entries.map((entry, i) => rowOf(entry, numbers[i] ?? 0)),
    timelines
  })
  return sealEntries(tx, scope, written, entries.length)
}
