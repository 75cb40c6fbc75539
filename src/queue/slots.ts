import { setTimeout as sleep } from 'node:timers/promises'
import type { JobWithMetadata } from 'pg-boss'
import { codeOf } from '../errors.ts'
import { errorFields, type Logger, stackFrames } from '../logger.ts'
import { LANE_PRIORITY } from '../model/states.ts'
import type { Boss } from './boss.ts'
import { type Hold, type PriorityRange, windowsOf } from './holds.ts'
import type { JobListener } from './listener.ts'
import { DEAD_LETTERS, JobData, type QueueName } from './queues.ts'

/** The claim of one attempt, as settling wants it: a later attempt of the same job has another retry count. */
export interface Attempt {
  readonly id: string
  readonly retryCount: number
}

export interface ClaimedJob {
  readonly queue: QueueName | typeof DEAD_LETTERS
  readonly attempt: Attempt
  readonly data: JobData
  /** Aborted when the claim is lost, or when the worker stops without waiting any longer. */
  readonly signal: AbortSignal
  /** Milliseconds from creation to this start, by the database's clock. */
  readonly waitMs: number
}

/** Why a job's signal is aborted when its worker stops: the job has been given back by then. */
export const STOPPED = Symbol('worker stopped')

/** How long handlers that were told to stop are waited for. */
const LETTING_GO_MS = 2000

/** Works a job. Answers `settled` when it completed the job in its own transaction; otherwise the slot completes it. */
export type JobHandler = (job: ClaimedJob) => Promise<'settled' | 'open'>

/** Which lanes a slot takes. Of several slots the first takes critical jobs only and the second leaves them alone. */
export function slotPriorities(slot: number, slots: number): PriorityRange {
  if (slots < 3) return {}
  if (slot === 0) return { minPriority: LANE_PRIORITY.critical }
  if (slot === 1) return { maxPriority: LANE_PRIORITY.critical - 1 }
  return {}
}

/** How many of so many slots a job can go to, whatever its lane. */
const slotsPerLane = (slots: number): number => (slots < 3 ? slots : slots - 1)

export interface SlotOptions {
  readonly boss: Boss
  readonly listener: JobListener
  readonly queue: QueueName | typeof DEAD_LETTERS
  readonly slots: number
  readonly heartbeatSeconds: number
  readonly logger: Logger
  readonly handler: JobHandler
  /** What is held back from the start. */
  readonly holds?: readonly Hold[]
  /** How long an idle slot waits when no notification comes; another time only in tests. */
  readonly pollMs?: number
}

export interface Slots {
  readonly queue: QueueName | typeof DEAD_LETTERS
  /** Stops fetching; jobs in hand go on. */
  pause(): void
  resume(): void
  /** From now on does not fetch this work, and all other; jobs in hand go on. */
  holdBack(holds: readonly Hold[]): void
  /** Jobs in hand. */
  readonly busy: number
  /**
   * Stops fetching and waits for jobs in hand, at most `graceMs`; then aborts them and gives them back to the queue at
   * once, so that no other worker has to wait for their heartbeat to run out.
   */
  stop(graceMs: number): Promise<void>
}

/** Of so many slots none is kept for a jurisdiction that may come: one of three is a third of all that could be done. */
const FEW_SLOTS = 3

/** How long an idle slot waits when no notification comes: delayed jobs and retries become due without one. */
const POLL_MS = 1000

interface Pool extends SlotOptions {
  readonly stopping: AbortController
  /** Jobs in hand per jurisdiction. One jurisdiction never takes all slots of a queue, unless they are few. */
  readonly inHand: Map<string, number>
  readonly claims: Map<string, { job: ClaimedJob; abort: AbortController }>
  paused: boolean
  holds: readonly Hold[]
  /** Ends when the fetch in progress has ended. */
  turn: Promise<unknown>
  /** Counts wake-ups, so that one that comes during a fetch is not slept through. */
  wakeUps: number
  readonly wakers: Set<() => void>
}

/** Waits for a notification, the poll interval or the end, whichever comes first. */
function idle(pool: Pool): Promise<void> {
  if (pool.stopping.signal.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const timer = setTimeout(done, pool.pollMs ?? POLL_MS)
    function done(): void {
      clearTimeout(timer)
      pool.wakers.delete(done)
      pool.stopping.signal.removeEventListener('abort', done)
      resolve()
    }
    pool.wakers.add(done)
    pool.stopping.signal.addEventListener('abort', done)
  })
}

const countOf = (pool: Pool, group: string): number => pool.inHand.get(group) ?? 0

/**
 * Fetches one job for a slot. Fetches of a queue take turns: two at once would both see a jurisdiction below its limit.
 */
async function fetchInTurn(pool: Pool, slot: number): Promise<JobWithMetadata<JobData> | undefined> {
  const turn = pool.turn.then(async () => {
    const fetched = pool.paused ? undefined : await fetchOne(pool, slot)
    const group = fetched?.data.jurisdiction
    if (group) pool.inHand.set(group, countOf(pool, group) + 1)
    return fetched
  })
  pool.turn = turn.catch(() => undefined)
  return turn
}

/**
 * A jurisdiction that holds all slots but one of those open to its lane leaves the last to others. Of few slots, keeping
 * one free would cost too much: it may have the last as well while nobody else waits, and the next slot that is free goes
 * to whoever came meanwhile.
 */
async function fetchOne(pool: Pool, slot: number): Promise<JobWithMetadata<JobData> | undefined> {
  const open = slotsPerLane(pool.slots)
  const full = open > 1 ? [...pool.inHand].filter(([, count]) => count >= open - 1).map(([id]) => id) : []
  const job = await fetchExcept(pool, slot, full)
  return job || full.length === 0 || open > FEW_SLOTS ? job : fetchExcept(pool, slot, [])
}

async function fetchExcept(pool: Pool, slot: number, jurisdictions: readonly string[]) {
  for (const { ignored, ...priorities } of windowsOf(pool.holds, slotPriorities(slot, pool.slots))) {
    const ignoreGroups = [...jurisdictions, ...ignored]
    const [job] = await pool.boss.fetch<JobData>(pool.queue, {
      batchSize: 1,
      includeMetadata: true,
      ...(ignoreGroups.length > 0 ? { ignoreGroups } : {}),
      ...priorities
    })
    if (job) return job
  }
  return undefined
}

/** Keeps the claim alive while the handler runs; aborts the handler when the claim turns out to be lost. */
async function beat(pool: Pool, job: ClaimedJob, abort: AbortController, done: AbortSignal): Promise<void> {
  const everyMs = (pool.heartbeatSeconds * 1000) / 3
  while (!done.aborted) {
    await sleep(everyMs, undefined, { signal: done, ref: false }).catch(() => undefined)
    if (done.aborted) return
    const response = await pool.boss.touch(pool.queue, job.attempt).catch(() => undefined)
    if (response && (response as { affected?: number }).affected === 0) return abort.abort()
  }
}

/** Fails the attempt with a code only: what a handler throws may quote a value. */
async function giveUp(pool: Pool, job: ClaimedJob, error: unknown): Promise<void> {
  const output = { code: codeOf(error), stack: error instanceof Error ? stackFrames(error) : '' }
  pool.logger.error({ queue: pool.queue, job_id: job.attempt.id, ...errorFields(error) }, 'job failed')
  await pool.boss.fail(pool.queue, job.attempt, output)
}

async function runJob(pool: Pool, fetched: JobWithMetadata<JobData>): Promise<void> {
  const abort = new AbortController()
  const done = new AbortController()
  const job: ClaimedJob = {
    queue: pool.queue,
    attempt: { id: fetched.id, retryCount: fetched.retryCount },
    data: JobData.parse(fetched.data),
    signal: abort.signal,
    waitMs: fetched.startedOn.getTime() - fetched.createdOn.getTime()
  }
  pool.claims.set(job.attempt.id, { job, abort })
  const beating = beat(pool, job, abort, done.signal)
  try {
    if ((await pool.handler(job)) === 'open') await pool.boss.complete(pool.queue, job.attempt)
  } catch (error) {
    await giveUp(pool, job, error)
  } finally {
    done.abort()
    await beating
    pool.claims.delete(job.attempt.id)
  }
}

/** Runs a fetched job and lets go of its jurisdiction's share, whatever happens. */
async function runFetched(pool: Pool, fetched: JobWithMetadata<JobData>): Promise<void> {
  const group = fetched.data.jurisdiction
  try {
    await runJob(pool, fetched)
  } finally {
    const left = countOf(pool, group) - 1
    if (left > 0) pool.inHand.set(group, left)
    else pool.inHand.delete(group)
  }
}

/** One slot: fetches again at once while there is work, and idles only when there is none. */
async function runSlot(pool: Pool, slot: number): Promise<void> {
  while (!pool.stopping.signal.aborted) {
    const before = pool.wakeUps
    try {
      const fetched = await fetchInTurn(pool, slot)
      if (fetched) await runFetched(pool, fetched)
      else if (pool.wakeUps === before) await idle(pool)
    } catch (error) {
      pool.logger.warn({ queue: pool.queue, ...errorFields(error) }, 'slot could not reach the queue')
      await idle(pool)
    }
  }
}

/**
 * Starts the slots of one queue. pg-boss's own workers sleep out their polling interval after every job and cannot keep
 * one jurisdiction from taking every slot of different lanes, so the slots fetch, beat and settle through its public calls.
 */
export function startSlots(options: SlotOptions): Slots {
  const pool: Pool = {
    ...options,
    stopping: new AbortController(),
    inHand: new Map(),
    claims: new Map(),
    paused: false,
    holds: options.holds ?? [],
    turn: Promise.resolve(),
    wakeUps: 0,
    wakers: new Set()
  }
  const wakeAll = (): void => {
    pool.wakeUps += 1
    for (const wake of pool.wakers) wake()
  }
  const unlisten = options.listener.onJobs(options.queue, wakeAll)
  const running = Promise.all(Array.from({ length: options.slots }, (_, slot) => runSlot(pool, slot)))
  return {
    queue: options.queue,
    pause() {
      pool.paused = true
    },
    resume() {
      pool.paused = false
      wakeAll()
    },
    holdBack(holds) {
      pool.holds = holds
      wakeAll()
    },
    get busy() {
      return pool.claims.size
    },
    async stop(graceMs) {
      unlisten()
      pool.stopping.abort()
      const grace = sleep(graceMs, 'late' as const, { ref: false })
      if ((await Promise.race([running, grace])) !== 'late') return
      for (const { job, abort } of pool.claims.values()) {
        // Given back before the handler is told, so that its own settling finds the claim gone.
        await pool.boss.fail(pool.queue, job.attempt, { code: 'WORKER_STOPPED' }).catch(() => undefined)
        abort.abort(STOPPED)
      }
      await Promise.race([running, sleep(LETTING_GO_MS, undefined, { ref: false })])
    }
  }
}
