import { z } from 'zod'

/** A job names its subject and nothing else: no content, no personal data ever stands in a queue row. */
export const JobData = z.strictObject({
  jurisdiction: z.string(),
  /** Chunk id for `chunk` and `document`, file id for `split`, record set id for `redrive`. */
  subject: z.uuid(),
  generation: z.number().int().min(1)
})
export type JobData = z.infer<typeof JobData>

/** One queue per stage. `dead` takes what failed in all its attempts; its only consumer settles the subject. */
export const QUEUES = ['split', 'chunk', 'document', 'redrive'] as const
export type QueueName = (typeof QUEUES)[number]
export const DEAD_LETTERS = 'dead'

const YEAR_SECONDS = 365 * 86_400

/** Options shared by all queues. A job waits a year at most; by then the reconciler has long made a new one. */
export const queueOptions = (heartbeatSeconds: number) => ({
  policy: 'standard',
  retryLimit: 8,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  heartbeatSeconds,
  expireInSeconds: 3600,
  retentionSeconds: YEAR_SECONDS,
  deleteAfterSeconds: 7 * 86_400
})
