import { createHash } from 'node:crypto'
import type { ChunkWork } from '../../db/work/chunks.ts'
import { type ReasonCode, reasonOf, stateFromReasons } from '../../model/reasons.ts'
import type { RowFault } from '../../model/rows.ts'
import type { JudgedRecord } from '../commit/judged-record.ts'

/** The key of a record whose content was never read: its file and its number stand for it. */
export const unreadKey = (chunk: ChunkWork, item: number): string =>
  createHash('sha256')
    .update(`unread\0${chunk.jurisdiction}\0${chunk.sha256.toString('hex')}\0${item}`)
    .digest('hex')

function heldRecord(chunk: ChunkWork, item: number, line: number | null, fault: RowFault): JudgedRecord {
  const origin = item > 0 ? { row: item, ...(line ? { line } : {}) } : null
  const reason = reasonOf(fault.code, { origin, ...(fault.detail ? { detail: fault.detail } : {}) })
  return {
    item,
    line,
    state: stateFromReasons([reason]) === 'rejected' ? 'rejected' : 'quarantined',
    idempotencyKey: unreadKey(chunk, item),
    naturalKey: null,
    confidence: null,
    reasons: [reason],
    fields: {},
    content: null,
    diagnostic: null
  }
}

/** Every record of a chunk, held (or rejected, by the code's severity) without reading it. */
export function holdChunk(chunk: ChunkWork, code: ReasonCode, detail?: string): JudgedRecord[] {
  const fault = detail === undefined ? { code } : { code, detail }
  if (chunk.kind !== 'rows') return [heldRecord(chunk, chunk.firstItem, chunk.firstLine, fault)]
  return Array.from({ length: chunk.records }, (_, i) =>
    heldRecord(chunk, chunk.firstItem + i, i === 0 ? chunk.firstLine : null, fault)
  )
}

/** The one record of a file that cannot be split. */
export function holdFile(chunk: ChunkWork): JudgedRecord[] {
  return [heldRecord(chunk, 0, null, chunk.fault ?? { code: 'INTERNAL_ERROR' })]
}
