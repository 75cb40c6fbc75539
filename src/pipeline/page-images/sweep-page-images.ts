import { deleteOldExtractions } from '../../db/documents/extractions.ts'
import type { Pool } from '../../db/pool.ts'
import type { PayloadStore } from '../../storage/payload-store.ts'
import { removeResults } from '../documents/remove-results.ts'
import { PAGE_PREFIX } from './page-images.ts'

/** Clerks look at a page while its record is held; one that is asked for later is drawn again. */
const KEEP_DAYS = 7

/**
 * Forgets pictures of pages that were drawn a week ago, and that pages could not be drawn. Whoever asks for one at that
 * moment has it drawn again. Safe beside other processes. Answers how many.
 */
export async function sweepPageImages(deps: { readonly pool: Pool; readonly store: PayloadStore }): Promise<number> {
  return removeResults(deps.store, limit => deleteOldExtractions(deps.pool, PAGE_PREFIX, KEEP_DAYS, limit))
}
