import { isInUse, type Pool } from '../db/pool.ts'
import { isConnectionWait } from '../db/sqlstate.ts'
import { LOCK_TIMEOUT } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import { cancelBatch } from '../review/cancel-batch.ts'
import { correctRecord, rejectRecord, releaseRecord } from '../review/decide.ts'
import { noteDownload } from '../review/note-download.ts'
import { previewRedrive, redriveHeld } from '../review/operations/redrive-held.ts'
import { retryBatch, retryRecord } from '../review/retry.ts'
import type { DecideDeps } from '../review/review-deps.ts'
import type { ReviewActions } from './deps.ts'

/** When whoever was in the way is likely to be done. */
const RETRY_SECONDS = 5

/** Who waited in vain, for a lock or behind others who wait for one, is told so: nothing is away, and nothing was done. */
function toWaitFault(error: unknown, pool: Pool): unknown {
  if (!(error instanceof AppError)) return error
  const isLocked = error.details['sqlstate'] === LOCK_TIMEOUT
  const isBehindOthers = isConnectionWait(error) && isInUse(pool)
  if (!isLocked && !isBehindOthers) return error
  return new AppError(
    'CHANGE_IN_PROGRESS',
    'Others are changing the same records or their batch at this moment. Nothing was changed by this request. Send it again in a few seconds.',
    { details: { retry_after_seconds: RETRY_SECONDS }, cause: error }
  )
}

/** The decisions of clerks, bound to what they work with. Throw `CHANGE_IN_PROGRESS` when they waited in vain. */
export function reviewActions(deps: DecideDeps): ReviewActions {
  const told = <W extends unknown[], T>(act: (deps: DecideDeps, ...work: W) => Promise<T>) => {
    return async (...work: W): Promise<T> => {
      try {
        return await act(deps, ...work)
      } catch (error) {
        throw toWaitFault(error, deps.pool)
      }
    }
  }
  return {
    releaseRecord: told(releaseRecord),
    rejectRecord: told(rejectRecord),
    correctRecord: told(correctRecord),
    retryRecord: told(retryRecord),
    retryBatch: told(retryBatch),
    previewRedrive: told(previewRedrive),
    redriveHeld: told(redriveHeld),
    cancelBatch: told(cancelBatch),
    noteDownload: told(noteDownload)
  }
}
