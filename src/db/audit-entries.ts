import type { Tx } from './pool.ts'

/** What all entries of a set share, as canonical JSON text cut where an entry's own parts go in. */
export interface EntryFrame {
  /** From the first brace to before `detail`. */
  readonly opening: string
  /** The member `jurisdiction` with its comma. */
  readonly jurisdiction: string
  /** What follows the kind: its closing quote, the member `manifest`, and the name `previous`. */
  readonly manifest: string
}

/** The parts of one entry that are its own; texts are canonical JSON. */
export interface EntryRow {
  readonly subjectId: string
  /** The commitment to what a record is now, in hex; null when it was erased, undefined for an entry that changes no record. */
  readonly content: string | null | undefined
  readonly kind: string
  readonly seq: number
  /** Hex. */
  readonly idempotencyKey: string | null
  /** Hex. */
  readonly previous: string | null
  readonly reasons: string
  readonly detail: string | null
  /** Index into the set's timelines. */
  readonly timeline: number
}

export interface EntryHash {
  readonly subjectId: string
  readonly hash: Buffer
}

/** `[transition, milliseconds before the transaction's now() | a time the database wrote before]`, in order. */
export type Timeline = readonly (readonly [string, number | string])[]

export interface EntrySet {
  readonly jurisdiction: string
  readonly frame: EntryFrame
  readonly rows: readonly EntryRow[]
  readonly timelines: readonly Timeline[]
}

const toElement = (row: EntryRow): unknown[] => [
  row.subjectId,
  row.seq,
  row.timeline,
  row.kind,
  row.reasons,
  row.idempotencyKey,
  row.previous,
  row.detail,
  // `audit_text` takes an empty text for null, and null for no commitment.
  row.content === null ? '' : row.content
]

/**
 * Writes entries whose text the database puts together, with its own time, and hashes over the very bytes stored.
 * Members stand in canonical order: actor, batch, commit, content, detail, form, idempotency_key, jurisdiction, kind, manifest,
 * previous, reasons, seq, subject, transitions. Answers the hashes; their order is not promised.
 */
export async function insertAuditEntries(tx: Tx, set: EntrySet): Promise<EntryHash[]> {
  const { rows } = await tx.query<{ subject_id: string; hash: Buffer }>({
    name: 'insert-audit-entries',
    text: `with timeline as materialized (
        select (ordinality - 1)::int as number, audit_steps(value) as steps from jsonb_array_elements($3::jsonb) with ordinality
      ), written as (
        select (e ->> 0)::uuid as subject_id, (e ->> 1)::int as seq, audit_text($4::text, e ->> 8, e ->> 7, e ->> 5, $5::text, e ->> 3,
          $6::text, e ->> 6, e ->> 4, (e ->> 1)::int, e ->> 0, timeline.steps) as entry
        from jsonb_array_elements($2::jsonb) e join timeline on timeline.number = (e ->> 2)::int
      )
      insert into audit_entry (jurisdiction, subject_id, seq, entry, hash)
      select $1, subject_id, seq, entry, sha256(entry) from written
      returning subject_id, hash`,
    values: [
      set.jurisdiction,
      JSON.stringify(set.rows.map(toElement)),
      JSON.stringify(set.timelines),
      set.frame.opening,
      set.frame.jurisdiction,
      set.frame.manifest
    ]
  })
  return rows.map(row => ({ subjectId: row.subject_id, hash: row.hash }))
}

/** Writes the commit row of this transaction's entries. */
export async function insertAuditCommit(
  tx: Tx,
  commit: { jurisdiction: string; id: string; entries: number; root: Buffer }
): Promise<void> {
  await tx.query({
    name: 'insert-audit-commit',
    text: 'insert into audit_commit (jurisdiction, id, entries, root) values ($1, $2, $3, $4)',
    values: [commit.jurisdiction, commit.id, commit.entries, commit.root]
  })
}
