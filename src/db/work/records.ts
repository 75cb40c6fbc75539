import type { EntryHash } from '../audit-entries.ts'
import { digestArray, saltArray, uuidArray } from '../encoding/binary.ts'
import type { Tx } from '../pool.ts'
import { insertPlainRecords, isPlain } from './plain-records.ts'
import { codesOf, type RecordAudit, type RecordOwner, type RecordRow } from './record-row.ts'

const toElement = (row: RecordRow): unknown[] => [
  row.item,
  row.line,
  row.naturalKey,
  row.content,
  row.fields,
  row.state,
  row.version,
  row.duplicateOf,
  row.confidence,
  row.reasons,
  row.isVersion,
  row.diagnostic,
  row.timeline,
  row.detail,
  codesOf(row)
]

const valuesOf = (owner: RecordOwner, rows: readonly RecordRow[], audit: RecordAudit): unknown[] => [
  owner.jurisdiction,
  owner.batchId,
  owner.fileId,
  owner.fileNumber,
  owner.chunkId,
  owner.profile,
  owner.manifest,
  JSON.stringify(rows.map(toElement)),
  uuidArray(rows.map(row => row.id)),
  digestArray(rows.map(row => row.idempotencyKey)),
  JSON.stringify(audit.timelines),
  audit.frame.opening,
  audit.frame.jurisdiction,
  audit.frame.manifest,
  audit.previous,
  saltArray(rows.map(row => row.salt))
]

/** The order in which versions are inserted, the same in every transaction: two of them do not wait in a circle. */
const byNaturalKey = (a: RecordRow, b: RecordRow): number => {
  const [left, right] = [a.naturalKey ?? '', b.naturalKey ?? '']
  if (left !== right) return left < right ? -1 : 1
  return (a.version ?? 0) - (b.version ?? 0)
}

/** Records of any kind in one statement over one JSON parameter. */
async function insertAnyRecords(
  tx: Tx,
  owner: RecordOwner,
  rows: readonly RecordRow[],
  audit: RecordAudit
): Promise<EntryHash[]> {
  const { rows: written } = await tx.query<{ subject_id: string; hash: Buffer }>({
    name: 'insert-records',
    text: `with timeline as materialized (
        select (ordinality - 1)::int as number, audit_steps(value) as steps from jsonb_array_elements($11::jsonb) with ordinality
      ), r as materialized (
        select id, key, salt, (e ->> 0)::int as item, (e ->> 1)::int as line, e ->> 2 as natural_key, nullif(e -> 3, 'null') as content,
          e -> 4 as fields, e ->> 5 as state, (e ->> 6)::int as version, (e ->> 7)::uuid as duplicate_of,
          (e ->> 8)::real as confidence, e -> 9 as reasons, (e ->> 10)::boolean as is_version,
          nullif(e -> 11, 'null') as diagnostic, (e ->> 12)::int as timeline, e ->> 13 as detail, e ->> 14 as codes
        from rows from (jsonb_array_elements($8::jsonb), unnest($9::uuid[]), unnest($10::bytea[]), unnest($16::bytea[])) as t(e, id, key, salt)
      ), entries as (
        insert into audit_entry (jurisdiction, subject_id, seq, entry, hash)
        select $1, id, 1, entry, sha256(entry) from (
          select r.id, audit_text($12::text,
            encode(commitment_of(r.salt, record_text(1, r.state, r.item, r.line, r.natural_key, r.confidence,
              case when r.is_version or r.state <> 'accepted' then r.content end, r.fields, r.reasons, null)), 'hex'),
            r.detail, encode(r.key, 'hex'), $13::text, 'record', $14::text, $15::text, r.codes, 1,
            r.id::text, timeline.steps) as entry
          from r join timeline on timeline.number = r.timeline offset 0) texts
        returning subject_id, hash
      ), versions as (
        insert into canonical_record (jurisdiction, profile, natural_key, version, idempotency_key, record_id,
          batch_received_at, batch_id, file_number, item, content)
        select $1, $6, natural_key, version, key, id,
          (select received_at from batch where jurisdiction = $1 and id = $2), $2, $4, item, content
        from r where is_version
      ), records as (
        insert into record (jurisdiction, batch_id, file_id, file_number, chunk_id, profile, manifest, id, item, line, state,
          idempotency_key, natural_key, version, duplicate_of, confidence, reasons, fields, content, diagnostic, salt, audit_seq, audit_hash)
        select $1, $2, $3, $4, $5, $6, $7, r.id, item, line, state, key, natural_key, version, duplicate_of, confidence, reasons,
          fields, case when state <> 'accepted' then content end, diagnostic, salt, 1, entries.hash
        from r join entries on entries.subject_id = r.id
      )
      select subject_id, hash from entries`,
    values: valuesOf(owner, rows, audit)
  })
  return written.map(row => ({ subjectId: row.subject_id, hash: row.hash }))
}

/**
 * Writes a set of new records, the versions of content they bring and their first audit entries: one statement for the
 * plain ones and one for the others. Answers the hashes of the entries, in no particular order.
 */
export async function insertRecords(
  tx: Tx,
  owner: RecordOwner,
  rows: readonly RecordRow[],
  audit: RecordAudit
): Promise<EntryHash[]> {
  const ordered = rows.toSorted(byNaturalKey)
  const plain = ordered.filter(row => isPlain(row, audit.plainDetail))
  const others = plain.length === rows.length ? [] : ordered.filter(row => !isPlain(row, audit.plainDetail))
  return [
    ...(plain.length > 0 ? await insertPlainRecords(tx, owner, plain, audit) : []),
    ...(others.length > 0 ? await insertAnyRecords(tx, owner, others, audit) : [])
  ]
}
