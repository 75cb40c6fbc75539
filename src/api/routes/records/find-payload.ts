import { getPayloadOfRecord, type RecordPayload, type StoredRecord } from '../../../db/reads/record-reads.ts'
import { AppError } from '../../../errors.ts'
import type { ApiDeps } from '../../deps.ts'

/** Where the file of a record lies. Throws `PAYLOAD_REMOVED` when it was removed, by an erasure or a rule of retention. */
export async function findPayload(deps: ApiDeps, record: StoredRecord): Promise<RecordPayload> {
  const payload = await getPayloadOfRecord(deps.pool, record.jurisdiction, record.fileId)
  if (!payload) throw new AppError('PAYLOAD_MISSING', 'The file of a record has no row.')
  if (payload.removedAt === null) return payload
  throw new AppError('PAYLOAD_REMOVED', 'The file of this record was removed.', {
    details: { removed_at: payload.removedAt.toISOString() }
  })
}
