import { hash as digest } from 'node:crypto'
import type { Json } from '../../model/json.ts'
import type { EntryHash } from '../audit-entries.ts'
import { digestArray, intArray, jsonbArray, saltArray, textArray, uuidArray } from '../encoding/binary.ts'
import { jsonbText } from '../encoding/jsonb-text.ts'
import type { Tx } from '../pool.ts'
import { pageEntryHash, pageFrame, stepsOf } from './page-entries.ts'
import { codesOf, type RecordAudit, type RecordOwner, type RecordRow } from './record-row.ts'

/** A record as nearly all are: accepted as the first version of its content, sure, at most with warnings. */
export type PlainRow = RecordRow & { readonly naturalKey: string }

export const isPlain = (row: RecordRow, plainDetail: string): row is PlainRow =>
  row.state === 'accepted' &&
  row.isVersion &&
  row.version === 1 &&
  row.confidence === 1 &&
  row.timeline === 0 &&
  row.diagnostic === null &&
  row.detail === plainDetail &&
  // The other statement hands such a key to the database as it is, which refuses it.
  row.naturalKey?.isWellFormed() === true

/** JSON text, or null where it is what the column holds by default: reading it again for every record costs. */
const unlessEmpty = (text: string): string | null => (text.length === 2 ? null : text)

/** A plain record's values as the database will write them, which is what its entry commits to. */
interface RowTexts {
  readonly content: string
  readonly fields: string
  readonly reasons: string
}

const textsOf = (row: PlainRow): RowTexts => ({
  content: jsonbText(row.content),
  fields: jsonbText(row.fields),
  reasons: jsonbText(row.reasons as unknown as Json)
})

/** The same as `commitment_of` over `record_text` makes of the stored record, which is verified by those. */
const commitmentOf = (row: PlainRow, { content, fields, reasons }: RowTexts): string =>
  digest(
    'sha256',
    `${row.salt}{"confidence": 1, "content": ${content}, "decision": null, "fields": ${fields}, "item": ${row.item}, "line": ${row.line}, "natural_key": ${JSON.stringify(row.naturalKey)}, "reasons": ${reasons}, "revision": 1, "state": "accepted"}`,
    'hex'
  )

/**
 * Writes plain records, the versions they bring and their first audit entries, which share one page, in one statement
 * over binary columns: what the records share is a parameter of its own, so that the database handles only what differs.
 * Answers the hashes of the entries.
 */
export async function insertPlainRecords(
  tx: Tx,
  owner: RecordOwner,
  rows: readonly PlainRow[],
  audit: RecordAudit
): Promise<EntryHash[]> {
  const steps = await stepsOf(tx, audit.timelines[0])
  const frame = pageFrame({ frame: audit.frame, previous: audit.previous, detail: audit.plainDetail, steps })
  const codes = rows.map(codesOf)
  const texts = rows.map(textsOf)
  const contents = rows.map((row, i) => commitmentOf(row, texts[i] as RowTexts))
  const hashes = rows.map(({ id, idempotencyKey }, i) =>
    pageEntryHash(frame, { id, idempotencyKey, content: contents[i] ?? '', codes: codes[i] ?? '' })
  )
  await tx.query({
    name: 'insert-plain-records',
    text: `with page as (
        insert into audit_page (jurisdiction, chunk_id, frame, subjects, keys, codes, contents)
        values ($1, $5, $14::text[], $8::uuid[], $9::bytea[], $15::text[], $20::bytea[])
      ), versions as (
        insert into canonical_record (jurisdiction, profile, natural_key, version, idempotency_key, record_id,
          batch_received_at, batch_id, file_number, item, content)
        select $1, $6, natural_key, 1, key, id,
          (select received_at from batch where jurisdiction = $1 and id = $2), $2, $4, item, content
        from unnest($8::uuid[], $9::bytea[], $10::int[], $12::text[], $13::jsonb[]) t(id, key, item, natural_key, content)
      )
      insert into record (jurisdiction, batch_id, file_id, file_number, chunk_id, profile, manifest, id, item, line, state,
        idempotency_key, natural_key, version, confidence, reasons, fields, salt, audit_seq, audit_hash)
      select $1, $2, $3, $4, $5, $6, $7, id, item, line, 'accepted', key, natural_key, 1, 1, coalesce(reasons, '[]'),
        coalesce(fields, '{}'), salt, 1, hash
      from unnest($8::uuid[], $9::bytea[], $10::int[], $11::int[], $12::text[], $16::jsonb[], $17::jsonb[], $18::bytea[],
        $19::bytea[]) t(id, key, item, line, natural_key, reasons, fields, hash, salt)`,
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
      jsonbArray(texts.map(({ content }) => content)),
      textArray(frame),
      textArray(codes),
      jsonbArray(texts.map(({ reasons }) => unlessEmpty(reasons))),
      jsonbArray(texts.map(({ fields }) => unlessEmpty(fields))),
      digestArray(hashes),
      saltArray(rows.map(row => row.salt)),
      digestArray(contents)
    ]
  })
  const bytes = Buffer.from(hashes.join(''), 'hex')
  return rows.map((row, i) => ({ subjectId: row.id, hash: bytes.subarray(i * 32, i * 32 + 32) }))
}
