import type { Envelope } from '../../model/envelope.ts'

const FROM_BATCH: readonly string[] = Object.freeze(['FROM_BATCH'])

/** The envelope of a jurisdiction that the record does not name itself: the batch's own. */
export function jurisdictionFromBatch(jurisdiction: string): Envelope {
  return { value: jurisdiction, raw: null, status: 'derived', confidence: 1, origin: null, flags: FROM_BATCH }
}
