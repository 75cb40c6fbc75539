import { listOpenBatches } from '../../db/work/stalled.ts'
import { type CompleteDeps, completeBatch } from '../../pipeline/commit/complete-batch.ts'

const PAGE = 500

/** Completes batches whose last worker died between its commit and the completion. Answers how many. */
export async function closeBatches(deps: CompleteDeps): Promise<number> {
  let completed = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await listOpenBatches(deps.pool, after, PAGE)
    for (const { jurisdiction, id } of page) if (await completeBatch(deps, jurisdiction, id)) completed += 1
    if (page.length < PAGE) return completed
    after = page.at(-1)?.id ?? after
  }
}
