import { type BatchRef, type BatchView, getBatch, getBatchRef } from '../../../db/batches.ts'
import { AppError } from '../../../errors.ts'
import { jurisdictionsOf, type Principal } from '../../access/principal.ts'
import type { ApiDeps } from '../../deps.ts'
import { isId } from '../../present/schemas.ts'

/** The batch of this id. Throws `NOT_FOUND`, for another jurisdiction's too. */
export async function findBatch(deps: ApiDeps, id: string, principal: Principal): Promise<BatchView> {
  const batch = isId(id) ? await getBatch(deps.pool, id, jurisdictionsOf(principal)) : undefined
  if (!batch) throw new AppError('NOT_FOUND', 'There is no batch of this id.')
  return batch
}

/** The same without its counts, which take longer the more chunks a batch has. */
export async function findBatchRef(deps: ApiDeps, id: string, principal: Principal): Promise<BatchRef> {
  const batch = isId(id) ? await getBatchRef(deps.pool, id, jurisdictionsOf(principal)) : undefined
  if (!batch) throw new AppError('NOT_FOUND', 'There is no batch of this id.')
  return batch
}
