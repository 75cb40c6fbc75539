import { z } from 'zod'
import { MAX_DOCUMENT_SECONDS } from '../model/limits.ts'

/** A job names its subject and nothing else: no content, no personal data ever stands in a queue row. */
export const JobData = z.strictObject({
  jurisdiction: z.string(),
  /** File id for `split`, chunk id for all others. */
  subject: z.uuid(),
  generation: z.number().int().min(1)
})
export type JobData = z.infer<typeof JobData>

/** One queue per stage; `ocr` takes documents whose pages have to be recognised, so that they hold up no others. `redrive` runs
 * held records of data files again, `reread` those of documents, whose pages may have to be recognised once more. `dead` takes what failed in all its attempts; its only consumer settles the subject. */
export const QUEUES = ['split', 'chunk', 'document', 'ocr', 'redrive', 'reread'] as const
export type QueueName = (typeof QUEUES)[number]
export const DEAD_LETTERS = 'dead'

export const YEAR_SECONDS = 365 * 86_400

/**
 * A job ends by its heartbeat when its worker dies; this is for a handler that hangs in a worker that lives. Room for the
 * longest document, for those it waits for to run alone after a crash, and for its commit. pg-boss takes a day at most.
 */
const EXPIRE_SECONDS = 4 * MAX_DOCUMENT_SECONDS

/** Options shared by all queues. A job waits a year at most; by then the reconciler has long made a new one. */
export const queueOptions = (heartbeatSeconds: number) => ({
  policy: 'standard',
  retryLimit: 8,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  heartbeatSeconds,
  expireInSeconds: EXPIRE_SECONDS,
  retentionSeconds: YEAR_SECONDS,
  deleteAfterSeconds: 7 * 86_400
})
