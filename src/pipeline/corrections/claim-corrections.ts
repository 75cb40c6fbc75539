import { crashPoint } from '../../crash-points.ts'
import { claimCorrections } from '../../db/review/corrections.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { ChunkWork } from '../../db/work/chunks.ts'
import { type ReasonCode, reasonOf } from '../../model/reasons.ts'
import type { JudgedRecord } from '../commit/judged-record.ts'
import { isDryRun } from '../dry-run/report-chunk.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'
import { refusedKey } from '../work/record-key.ts'
import type { Corrections } from './read-corrections.ts'

function heldBecause(record: JudgedRecord, code: ReasonCode): JudgedRecord {
  const origin = { row: record.item, ...(record.line === null ? {} : { line: record.line }), column: '_record_id' }
  const reasons = [reasonOf(code, { origin }), ...record.reasons]
  const state = record.state === 'rejected' ? 'rejected' : 'quarantined'
  return { ...record, reasons, state, idempotencyKey: refusedKey(record.idempotencyKey) }
}

async function claim(
  deps: PipelineDeps,
  chunk: ChunkWork,
  corrections: Corrections,
  records: readonly JudgedRecord[]
): Promise<ReadonlySet<string>> {
  const { settles, parentBatchId } = corrections
  const claims = records.flatMap(({ item, state }) => {
    const record = settles.get(item)
    return record === undefined || state === 'rejected' ? [] : [{ recordId: record.id, item }]
  })
  if (claims.length === 0 || parentBatchId === null) return new Set()
  const { jurisdiction, batchId, fileNumber, id: chunkId } = chunk
  const place = { jurisdiction, batchId, fileNumber, chunkId, parentBatchId }
  const claimed = await withTransaction(deps.pool, tx => claimCorrections(tx, place, claims))
  crashPoint('corrections.claimed')
  return claimed
}

/**
 * Lets the rows of an errors file speak for the held records they name, in a transaction before their commit: from then
 * on nobody decides about these. A row that names a record it cannot settle is held with a plain reason; one that came
 * back as it went out follows the record it names. A dry run speaks for nothing.
 */
export async function applyCorrections(
  deps: PipelineDeps,
  chunk: ChunkWork,
  corrections: Corrections,
  records: readonly JudgedRecord[]
): Promise<readonly JudgedRecord[]> {
  const mine = isDryRun(chunk) ? null : await claim(deps, chunk, corrections, records)
  return records.map(record => {
    const refused = corrections.refused.get(record.item)
    if (refused !== undefined) return heldBecause(record, refused)
    const twin = corrections.follows.get(record.item)
    if (twin !== undefined) return { ...record, idempotencyKey: twin.idempotencyKey }
    const held = corrections.settles.get(record.item)
    const isLost = held !== undefined && record.state !== 'rejected' && mine !== null && !mine.has(held.id)
    return isLost ? heldBecause(record, 'CORRECTION_SETTLED') : record
  })
}
