import { EventEmitter } from 'node:events'
import { Client } from 'pg'
import { errorFields, type Logger } from '../logger.ts'

/** The channel on which a transaction that enqueued jobs says so when it commits; the payload is the queue's name. */
export const JOB_CHANNEL = 'docket_jobs'

const RECONNECT_MS = 1000

export interface JobListener {
  /** Calls `wake` whenever jobs of this queue may have come; answers how to stop. */
  onJobs(queue: string, wake: () => void): () => void
  close(): Promise<void>
}

/**
 * Holds one connection that listens for new jobs and reconnects for ever. Each time it (re)connects it wakes everybody,
 * since notifications may have been missed. Polling stays underneath as the floor.
 */
export function createJobListener(url: string, logger: Logger): JobListener {
  const events = new EventEmitter().setMaxListeners(0)
  let client: Client | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const retry = (error?: unknown): void => {
    if (closed || timer) return
    if (error) logger.warn(errorFields(error), 'listener lost its connection')
    timer = setTimeout(reconnect, RECONNECT_MS)
  }

  function reconnect(): void {
    timer = undefined
    connect().catch(retry)
  }

  async function connect(): Promise<void> {
    if (closed) return
    const next = new Client({ connectionString: url, application_name: 'docket-listener', keepAlive: true })
    client = next
    next.on('error', retry)
    next.on('end', () => retry())
    next.on('notification', ({ payload }) => payload && events.emit(payload))
    await next.connect()
    await next.query(`listen ${JOB_CHANNEL}`)
    for (const queue of events.eventNames()) events.emit(queue)
  }

  reconnect()
  return {
    onJobs(queue, wake) {
      events.on(queue, wake)
      return () => events.off(queue, wake)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    }
  }
}
