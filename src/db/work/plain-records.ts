import type { EntryHash } from '../audit-entries.ts'
import type { Tx } from '../pool.ts'
import { digestArray, intArray, jsonbArray, splitDigests, textArray, uuidArray } from './binary.ts'
import { codesOf, type RecordAudit, type RecordOwner, type RecordRow } from './record-row.ts'

/** A record as nearly all are: accepted as the first version of its content, sure, at most with warnings. */
export type PlainRow = RecordRow & { readonly naturalKey: string }

const PLAIN_DETAIL = '{"version":1}'

export const isPlain = (row: RecordRow): row is PlainRow =>
  row.state === 'accepted' &&
  row.isVersion &&
  row.version === 1 &&
  row.confidence === 1 &&
  row.timeline === 0 &&
  row.diagnostic === null &&
  row.detail === PLAIN_DETAIL &&
  // The other statement hands such a key to the database as it is, which refuses it.
  row.naturalKey?.isWellFormed() === true

const entryOpening = (audit: RecordAudit): string =>
  `${audit.frame.opening}"detail":${PLAIN_DETAIL},"form":1,"idempotency_key":"`

const entryMiddle = (audit: RecordAudit): string =>
  `",${audit.frame.jurisdiction}"kind":"record${audit.frame.manifest}"${audit.previous}","reasons":`

/**
 * Writes plain records, the versions they bring and their first audit entries in one statement over binary columns:
 * what they share is a parameter of its own, so that the database handles only what differs. The entries have the
 * members of `audit_text`, in its order. Answers the hashes of the entries.
 */
export async function insertPlainRecords(
  tx: Tx,
  owner: RecordOwner,
  rows: readonly PlainRow[],
  audit: RecordAudit
): Promise<EntryHash[]> {
  const { rows: written } = await tx.query<{ hashes: Buffer }>({
    name: 'insert-plain-records',
    text: `with suffix as materialized (
        select '","transitions":[' || audit_steps($16::jsonb) || ']}' as suffix
      ), r as materialized (
        select id, key, item, line, natural_key, content, fields, reasons, entry, sha256(entry) as hash, n from (
          select t.*, convert_to($14::text || encode(key, 'hex') || $15::text || codes || ',"seq":1,"subject":"' || id::text
            || (select suffix from suffix), 'UTF8') as entry
          from unnest($8::uuid[], $9::bytea[], $10::int[], $11::int[], $12::text[], $13::jsonb[], $17::jsonb[], $18::jsonb[], $19::text[])
            with ordinality t(id, key, item, line, natural_key, content, fields, reasons, codes, n) offset 0) entries
      ), entries as (
        insert into audit_entry (jurisdiction, subject_id, seq, entry, hash) select $1, id, 1, entry, hash from r
      ), versions as (
        insert into canonical_record (jurisdiction, profile, natural_key, version, idempotency_key, record_id,
          batch_received_at, batch_id, file_number, item, content)
        select $1, $6, natural_key, 1, key, id,
          (select received_at from batch where jurisdiction = $1 and id = $2), $2, $4, item, content from r
      ), records as (
        insert into record (jurisdiction, batch_id, file_id, file_number, chunk_id, profile, manifest, id, item, line, state,
          idempotency_key, natural_key, version, confidence, reasons, fields, audit_seq, audit_hash)
        select $1, $2, $3, $4, $5, $6, $7, id, item, line, 'accepted', key, natural_key, 1, 1, reasons, fields, 1, hash from r
      )
      select string_agg(hash, '' order by n) as hashes from r`,
    values: [
      owner.jurisdiction,
      owner.batchId,
      owner.fileId,
      owner.fileNumber,
      owner.chunkId,
      owner.profile,
      owner.manifest,
      uuidArray(rows.map(row => row.id)),
      digestArray(rows.map(row => row.idempotencyKey)),
      intArray(rows.map(row => row.item)),
      intArray(rows.map(row => row.line)),
      textArray(rows.map(row => row.naturalKey)),
      jsonbArray(rows.map(row => JSON.stringify(row.content))),
      entryOpening(audit),
      entryMiddle(audit),
      JSON.stringify(audit.timelines[0]),
      jsonbArray(rows.map(row => JSON.stringify(row.fields))),
      jsonbArray(rows.map(row => JSON.stringify(row.reasons))),
      textArray(rows.map(codesOf))
    ]
  })
  const hashes = splitDigests(written[0]?.hashes ?? Buffer.alloc(0))
  return rows.map((row, i) => ({ subjectId: row.id, hash: hashes[i] ?? Buffer.alloc(0) }))
}
