import type { Pool } from '../../src/db/pool.ts'
import { newId } from '../../src/model/ids.ts'
import { reasonOf } from '../../src/model/reasons.ts'

export interface MadeRecord {
  readonly item: number
  readonly state?: 'accepted' | 'quarantined' | 'rejected'
  readonly line?: number
}

/** Puts records into a batch as a worker's commit would, all of the same creation time, and counts them in its chunk. */
export async function makeRecords(pool: Pool, batchId: string, made: readonly MadeRecord[]): Promise<string[]> {
  const ids = made.map(() => newId())
  const { rows } = await pool.query<{ id: string }>(
    'select id from chunk where batch_id = $1 order by file_number limit 1',
    [batchId]
  )
  const chunkId = rows[0]?.id
  const list = made.map((one, i) => ({
    id: ids[i],
    item: one.item,
    line: one.line ?? one.item + 1,
    state: one.state ?? 'quarantined',
    reasons: one.state === 'accepted' ? [] : [reasonOf('FIELD_MISSING', { field: 'project_valuation' })]
  }))
  await pool.query(
    `insert into record (jurisdiction, batch_id, file_number, item, id, file_id, chunk_id, line, profile, state, manifest,
       idempotency_key, natural_key, version, confidence, reasons, fields, content, diagnostic, audit_seq, audit_hash)
     select c.jurisdiction, c.batch_id, c.file_number, r.item, r.id, c.file_id, c.id, r.line, b.profile, r.state, b.manifest,
       sha256(r.id::text::bytea), 'P-' || r.item, case when r.state = 'accepted' then 1 end, 0.9, r.reasons, '{}',
       jsonb_build_object('submission_id', 'P-' || r.item, 'extra', jsonb_build_object('note', 'kept')),
       '{"stage": "validated"}', 1, sha256('x')
     from jsonb_to_recordset($2::jsonb) r(id uuid, item int, line int, state text, reasons jsonb)
     cross join chunk c join batch b on b.jurisdiction = c.jurisdiction and b.id = c.batch_id where c.id = $1`,
    [chunkId, JSON.stringify(list)]
  )
  await pool.query(
    `update chunk set state = 'committed', committed_at = now(), record_count = s.n, accepted = s.accepted,
       quarantined = s.quarantined, rejected = s.rejected, stage_ms = '{"read": 4, "commit": 11}'
     from (select count(*)::int as n, count(*) filter (where state = 'accepted')::int as accepted,
       count(*) filter (where state = 'quarantined')::int as quarantined,
       count(*) filter (where state = 'rejected')::int as rejected from record where chunk_id = $1) s
     where id = $1`,
    [chunkId]
  )
  return ids
}

/** One held record in a batch; answers its id. */
export async function heldRecord(pool: Pool, batchId: string): Promise<string> {
  const [id = ''] = await makeRecords(pool, batchId, [{ item: 1 }])
  return id
}
