import { cancelBatch } from '../review/cancel-batch.ts'
import { correctRecord, rejectRecord, releaseRecord } from '../review/decide.ts'
import { noteDownload } from '../review/note-download.ts'
import { retryBatch, retryRecord } from '../review/retry.ts'
import type { ReviewDeps } from '../review/review-deps.ts'
import type { ReviewActions } from './deps.ts'

/** The decisions of clerks, bound to what they work with. */
export const reviewActions = (deps: ReviewDeps): ReviewActions => ({
  releaseRecord: (target, corrections) => releaseRecord(deps, target, corrections),
  rejectRecord: (target, decision) => rejectRecord(deps, target, decision),
  correctRecord: (target, corrections) => correctRecord(deps, target, corrections),
  retryRecord: target => retryRecord(deps, target),
  retryBatch: work => retryBatch(deps, work),
  cancelBatch: work => cancelBatch(deps, work),
  noteDownload: download => noteDownload(deps, download)
})
