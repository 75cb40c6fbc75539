import { getRecord, type StoredRecord } from '../../../db/reads/record-reads.ts'
import { AppError } from '../../../errors.ts'
import { jurisdictionsOf, type Principal } from '../../access/principal.ts'
import type { ApiDeps } from '../../deps.ts'
import { isId } from '../../present/schemas.ts'

/** The record of this id. Throws `NOT_FOUND`, for another jurisdiction's too. */
export async function findRecord(deps: ApiDeps, id: string, principal: Principal): Promise<StoredRecord> {
  const record = isId(id) ? await getRecord(deps.pool, id, jurisdictionsOf(principal)) : undefined
  if (!record) throw new AppError('NOT_FOUND', 'There is no record of this id.')
  return record
}
