import { appendEntries } from '../audit/append-entries.ts'
import { type ChainSubjectId, lockChainEnd, moveChainEnd } from '../db/review/chain-ends.ts'
import { withTransaction } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Json } from '../model/json.ts'
import type { ReviewDeps } from './review-deps.ts'

/** Personal data that leaves in one piece. */
export interface Download extends ChainSubjectId {
  /** What is downloaded, e.g. `payload` or `results.csv`. */
  readonly what: string
  /** `key:<id>`. */
  readonly actor: string
  /** Ids that say more exactly what: never a value. */
  readonly detail?: { readonly [name: string]: Json }
}

/**
 * Writes into the subject's chain who downloads what, before the first byte leaves: without the entry there is no
 * download. The subject's state and revision stay as they are. Throws `NOT_FOUND` when there is no such subject.
 */
export async function noteDownload(deps: Pick<ReviewDeps, 'pool' | 'newId'>, download: Download): Promise<void> {
  await withTransaction(deps.pool, async tx => {
    const end = await lockChainEnd(tx, download)
    if (!end) throw new AppError('NOT_FOUND', `There is no ${download.kind} of this id.`)
    const hashes = await appendEntries(
      tx,
      {
        jurisdiction: download.jurisdiction,
        batchId: end.batchId,
        manifestVersion: end.manifestVersion,
        actor: download.actor,
        commitId: deps.newId()
      },
      [
        {
          subjectId: download.id,
          kind: download.kind,
          seq: end.auditSeq + 1,
          previous: end.auditHash,
          ...(end.idempotencyKey === null ? {} : { idempotencyKey: end.idempotencyKey }),
          detail: { ...download.detail, download: download.what },
          transitions: [['downloaded', 0]]
        }
      ]
    )
    await moveChainEnd(tx, download, hashes.get(download.id) ?? end.auditHash)
  })
}
