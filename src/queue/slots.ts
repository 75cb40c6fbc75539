import { LANE_PRIORITY } from '../model/states.ts'
import type { Boss } from './boss.ts'
import { DEAD_LETTERS, JobData, type QueueName } from './queues.ts'

/** The claim of one attempt, as `complete` wants it: a later attempt of the same job has another retry count. */
export interface Attempt {
  readonly id: string
  readonly retryCount: number
}

export interface ClaimedJob {
  readonly queue: QueueName | typeof DEAD_LETTERS
  readonly attempt: Attempt
  readonly data: JobData
  /** Aborted when the claim is lost or the worker is told to stop. */
  readonly signal: AbortSignal
  /** Milliseconds from creation to this start, by the database's clock. */
  readonly waitMs: number
}

export type JobHandler = (job: ClaimedJob) => Promise<void>

/** Which lanes a slot takes. Of several slots the first takes critical jobs only and the second leaves them alone. */
export function slotPriorities(slot: number, slots: number): { minPriority?: number; maxPriority?: number } {
  if (slots < 3) return {}
  if (slot === 0) return { minPriority: LANE_PRIORITY.critical }
  if (slot === 1) return { maxPriority: LANE_PRIORITY.critical - 1 }
  return {}
}

export interface Slots {
  /** Stops fetching; jobs in hand go on. */
  pause(): Promise<void>
  resume(): Promise<void>
}

/**
 * Registers one pg-boss worker per slot, each of which fetches again at once while there is work: a worker of batch size
 * 1 would otherwise sleep out its polling interval after every job. One jurisdiction never takes all slots.
 */
export async function startSlots(
  boss: Boss,
  queue: QueueName | typeof DEAD_LETTERS,
  slots: number,
  handler: JobHandler
): Promise<Slots> {
  const register = async (slot: number): Promise<void> => {
    let self = ''
    self = await boss.work(
      queue,
      {
        batchSize: 1,
        includeMetadata: true,
        pollingIntervalSeconds: 1,
        notifyPollingIntervalSeconds: 10,
        ...slotPriorities(slot, slots),
        ...(slots > 1 ? { localGroupConcurrency: slots - 1 } : {})
      },
      async ([job]) => {
        try {
          if (job) {
            await handler({
              queue,
              attempt: { id: job.id, retryCount: job.retryCount },
              data: JobData.parse(job.data),
              signal: job.signal,
              waitMs: job.startedOn.getTime() - job.createdOn.getTime()
            })
          }
        } finally {
          boss.notifyWorker(self)
        }
      }
    )
  }
  const resume = async (): Promise<void> => {
    for (let slot = 0; slot < slots; slot++) await register(slot)
  }
  await resume()
  return { pause: () => boss.offWork(queue, { wait: false }), resume }
}
