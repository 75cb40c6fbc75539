import {
  countRedrivable,
  listRedrivable,
  type RedriveFilter,
  type RedriveGroup
} from '../../db/operations/redrivable.ts'
import { nextRedrives, requestRetries } from '../../db/review/retries.ts'
import { withTransaction } from '../../db/transaction.ts'
import { enqueueRuns } from '../../queue/enqueue.ts'
import type { ReviewDeps } from '../review-deps.ts'

/** Records that are asked to run again in one transaction. */
const SET = 500

/** Ids that a preview tells. */
const SHOWN = 100

export interface RedrivePreview {
  readonly records: number
  readonly groups: readonly RedriveGroup[]
  /** The first of them. */
  readonly ids: readonly string[]
}

/** What `redriveHeld` would have run again, without asking for it. */
export async function previewRedrive(deps: Pick<ReviewDeps, 'pool'>, filter: RedriveFilter): Promise<RedrivePreview> {
  const groups = await countRedrivable(deps.pool, filter)
  const ids = await listRedrivable(deps.pool, filter, { after: null, limit: SHOWN })
  return { records: groups.reduce((sum, group) => sum + group.records, 0), groups, ids }
}

/**
 * Has all held records of a filter run again in place, under the rules of retrying a batch, set by set: what was asked for
 * stays so when a later set fails, and asking again is safe. Answers how many records that are.
 */
export async function redriveHeld(
  deps: Pick<ReviewDeps, 'pool' | 'boss'>,
  filter: RedriveFilter
): Promise<{ readonly retried: number }> {
  let retried = 0
  let after: string | null = null
  for (;;) {
    const ids: string[] = await listRedrivable(deps.pool, filter, { after, limit: SET })
    const last = ids.at(-1)
    if (last === undefined) return { retried }
    after = last
    const { jurisdiction } = filter
    retried += await withTransaction(deps.pool, async tx => {
      const marked = await requestRetries(tx, jurisdiction, ids)
      const chunkIds = marked.map(({ chunkId }) => chunkId)
      await enqueueRuns(
        deps.boss,
        tx,
        { jurisdiction, lane: 'standard' },
        await nextRedrives(tx, jurisdiction, chunkIds)
      )
      // One that was decided about meanwhile is none of them.
      return marked.reduce((sum, { records }) => sum + records, 0)
    })
  }
}
