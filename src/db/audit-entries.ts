import type { Tx } from './pool.ts'

/** One entry to write: everything of its canonical text that is not a time. */
export interface EntryRow {
  readonly subjectId: string
  readonly seq: number
  /** Canonical JSON text up to and including `"transitions":`, without times. */
  readonly head: string
  /** Index into the set's transition lists. */
  readonly timeline: number
}

export interface EntryHash {
  readonly subjectId: string
  readonly hash: Buffer
}

/** `[transition, milliseconds before the transaction's now() | a time the database wrote before]`, in order. */
export type Timeline = readonly (readonly [string, number | string])[]

/**
 * Writes entries whose text is finished by the database with its own time and hashed over the very bytes stored.
 * Answers the hashes; order is not promised.
 */
export async function insertAuditEntries(
  tx: Tx,
  jurisdiction: string,
  entries: readonly EntryRow[],
  timelines: readonly Timeline[]
): Promise<EntryHash[]> {
  const { rows } = await tx.query<{ subject_id: string; hash: Buffer }>({
    name: 'insert-audit-entries',
    text: `with timeline as materialized (
        select (t.ordinality - 1)::int as number, '[' || (
          select string_agg('["' || (step ->> 0) || '","' || case when jsonb_typeof(step -> 1) = 'string' then step ->> 1
            else to_char((now() - make_interval(secs => (step ->> 1)::double precision / 1000)) at time zone 'UTC',
            'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end || '"]', ',' order by position)
          from jsonb_array_elements(t.value) with ordinality s(step, position)) || ']}' as tail
        from jsonb_array_elements($3::jsonb) with ordinality t
      ), written as (
        select e.subject_id, e.seq, convert_to(e.head || timeline.tail, 'UTF8') as entry
        from unnest($2::uuid[], $4::int[], $5::text[], $6::int[]) as e(subject_id, seq, head, timeline)
        join timeline on timeline.number = e.timeline
      )
      insert into audit_entry (jurisdiction, subject_id, seq, entry, hash)
      select $1, subject_id, seq, entry, sha256(entry) from written
      returning subject_id, hash`,
    values: [
      jurisdiction,
      entries.map(entry => entry.subjectId),
      JSON.stringify(timelines),
      entries.map(entry => entry.seq),
      entries.map(entry => entry.head),
      entries.map(entry => entry.timeline)
    ]
  } as never)
  return rows.map(row => ({ subjectId: row.subject_id, hash: row.hash }))
}

/** Writes the commit row of this transaction's entries. */
export async function insertAuditCommit(
  tx: Tx,
  commit: { jurisdiction: string; id: string; entries: number; root: Buffer }
): Promise<void> {
  await tx.query('insert into audit_commit (jurisdiction, id, entries, root) values ($1, $2, $3, $4)', [
    commit.jurisdiction,
    commit.id,
    commit.entries,
    commit.root
  ])
}
