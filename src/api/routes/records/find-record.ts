import { getRecord, type StoredRecord } from '../../../db/reads/record-reads.ts'
import { readErasure } from '../../../db/retention/erasures.ts'
import { AppError } from '../../../errors.ts'
import { jurisdictionsOf, type Principal } from '../../access/principal.ts'
import type { ApiDeps } from '../../deps.ts'
import { isId } from '../../present/schemas.ts'

/** The record of this id, erased or not: for what its audit entries tell. Throws `NOT_FOUND`, for another jurisdiction's too. */
export async function findEvenErased(deps: ApiDeps, id: string, principal: Principal): Promise<StoredRecord> {
  const record = isId(id) ? await getRecord(deps.pool, id, jurisdictionsOf(principal)) : undefined
  if (!record) throw new AppError('NOT_FOUND', 'There is no record of this id.')
  return record
}

/** The same of a record that has its values. Throws `RECORD_ERASED` for one that was erased. */
export async function findRecord(deps: ApiDeps, id: string, principal: Principal): Promise<StoredRecord> {
  const record = await findEvenErased(deps, id, principal)
  const erasure = await readErasure(deps.pool, record.jurisdiction, record.id)
  if (!erasure) return record
  const { erasedAt, reason, rule } = erasure
  throw new AppError(
    'RECORD_ERASED',
    'The values of this record were erased. Its state, its history and its proofs are still there.',
    {
      details: {
        erased_at: erasedAt.toISOString(),
        erasure_reason: reason,
        state: record.state,
        ...(rule === null ? {} : { rule })
      }
    }
  )
}
