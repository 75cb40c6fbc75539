import { deleteOtherExtractions } from '../../db/documents/extractions.ts'
import type { Pool } from '../../db/pool.ts'
import type { PayloadStore } from '../../storage/payload-store.ts'
import { PAGE_PREFIX } from '../page-images/page-images.ts'
import { removeResults } from './remove-results.ts'

/** Workers of two versions may run beside each other for a while; nobody asks for an older one's results after that. */
const KEEP_DAYS = 30

export interface ResultSweepDeps {
  readonly pool: Pool
  readonly store: PayloadStore
  /** What documents are read by now, and what their pages are recognised by. */
  readonly extractor: { readonly version: string }
  readonly recognised?: { readonly version: string }
}

/**
 * Removes what earlier versions of the code, or other limits, read out of documents a month ago; whoever needs it reads the
 * document again. Pictures of pages have a sweep of their own. Safe beside other workers. Answers how many.
 */
export async function sweepResults({ pool, store, extractor, recognised }: ResultSweepDeps): Promise<number> {
  const extractors = [extractor.version, ...(recognised ? [recognised.version] : [])]
  const keep = { extractors, prefix: PAGE_PREFIX }
  return removeResults(store, limit => deleteOtherExtractions(pool, keep, KEEP_DAYS, limit))
}
