import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { type ClaimedJob, STOPPED } from '../../queue/slots.ts'
import type { Places } from '../../registries/limits/places.ts'
import type { RegistryNews } from '../registry-meters.ts'
import type { FromThread, PoolCounts, SentError, ToThread } from './messages.ts'

const ENTRY = new URL('row-thread.ts', import.meta.url)

/** What a thread is started with. */
export interface RowThreadOptions {
  readonly config: Config
  /** Id of the worker whose thread it is. */
  readonly workerId: string
  readonly tempFolder: string
  /** Jobs it may have in hand at once: each needs a connection. */
  readonly slots: number
  /** Where the threads of the worker count their calls to registries together. */
  readonly places: Places
}

export interface RowThreads {
  /** Works a chunk of rows on the thread that has the fewest in hand. */
  run(job: ClaimedJob): Promise<'settled'>
  /** How the pools of the threads stood when last used. */
  pools(): PoolCounts[]
  /** Ends the threads; to be called when no job is in hand any more. */
  close(): Promise<void>
}

interface Pending {
  readonly resolve: (settled: 'settled') => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  readonly pending: Map<number, Pending>
  counts: PoolCounts
  /** How many times in a row it was asked for a sign of life and gave none. */
  unanswered: number
}

/** An error of a thread as if it had been thrown here: code and frames, which is all that is logged of any. */
function received({ code, name, stack }: SentError): Error {
  return Object.assign(new Error('A chunk failed in its thread.'), { code, name, stack: `${name}\n${stack}` })
}

/** Who wants to know what threads tell beside the ends of jobs. */
interface Listeners {
  /** How long each caller of a thread's pool waited for its connection. */
  readonly onWait: (seconds: number) => void
  readonly onRegistry: (news: RegistryNews) => void
}

function take(thread: Thread, message: FromThread, { onWait, onRegistry }: Listeners): void {
  thread.unanswered = 0
  if (message.kind === 'ready' || message.kind === 'alive') return
  if (message.kind === 'pool') {
    thread.counts = message.counts
    return onWait(message.waitedSeconds)
  }
  if (message.kind === 'registry') return onRegistry(message.news)
  const pending = thread.pending.get(message.number)
  thread.pending.delete(message.number)
  if (message.kind === 'settled') pending?.resolve('settled')
  else pending?.reject(received(message.error))
}

/**
 * MB of what lives long that a thread may hold: several chunks of 25 MB with all that is made of them. Under so tight a limit
 * V8 collects when its heap has grown by half, and not by three times what it was, as it does where it sees much memory; and a
 * thread that needs more ends by itself, with the process, and the chunk that was in hand is cut in two.
 */
const HEAP_MB = 1024

async function startThread(options: RowThreadOptions, listeners: Listeners): Promise<Thread> {
  const worker = new Worker(ENTRY, { workerData: options, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
  const thread: Thread = {
    worker,
    pending: new Map(),
    counts: { totalCount: 0, idleCount: 0, waitingCount: 0 },
    unanswered: 0
  }
  worker.on('message', (message: FromThread) => take(thread, message, listeners))
  const [message] = (await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(() => {
      throw new AppError('INTERNAL', 'A thread of the worker ended while it started.')
    })
  ])) as [FromThread]
  if (message.kind !== 'ready') throw new AppError('INTERNAL', 'A thread of the worker did not start.')
  return thread
}

/** Sends a job to a thread, and the end of its signal after it. */
function send(thread: Thread, number: number, job: ClaimedJob): Promise<'settled'> {
  const { signal, ...rest } = job
  const post = (message: ToThread): void => thread.worker.postMessage(message, [])
  const abort = (): void => post({ kind: 'abort', number, stopped: signal.reason === STOPPED })
  return new Promise<'settled'>((resolve, reject) => {
    thread.pending.set(number, { resolve, reject })
    post({ kind: 'run', number, job: rest })
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  }).finally(() => signal.removeEventListener('abort', abort))
}

/** How long a thread that was told to end may take before it is ended. */
const ENDING_MS = 5000

async function end({ worker }: Thread): Promise<void> {
  const exited = once(worker, 'exit')
  worker.postMessage({ kind: 'close' } satisfies ToThread, [])
  const late = new AbortController()
  await Promise.race([exited, sleep(ENDING_MS, undefined, { signal: late.signal }).catch(() => undefined)])
  late.abort()
  await worker.terminate()
}

/** How often a thread is asked for a sign of life within the time it may be silent. */
const ASKED = 4

/**
 * Asks every thread for a sign of life, and calls `onSilence` when one has given none for so long. Counted in questions and
 * not by the clock: after the whole process was frozen, the first look would find every thread silent.
 */
function watch(threads: readonly Thread[], limitMs: number, onSilence: () => void): NodeJS.Timeout {
  return setInterval(() => {
    if (threads.some(({ unanswered }) => unanswered > ASKED)) onSilence()
    for (const thread of threads) {
      thread.unanswered += 1
      thread.worker.postMessage({ kind: 'ping' } satisfies ToThread, [])
    }
  }, limitMs / ASKED).unref()
}

/**
 * Starts threads that read, judge and commit chunks of rows: one thread bounds a worker at what one core reads. Claims,
 * heartbeats and who may run beside whom stay with the caller. `onDeath` is called when a thread has ended by itself or
 * says nothing for as long as a claim lasts, as in an endless loop: the process should then end, as a fault in native code
 * would end it, so that its claims run out and the chunk that does this is found among those that were in hand.
 */
export async function startRowThreads(
  count: number,
  options: RowThreadOptions &
    Listeners & {
      readonly logger: Logger
      readonly onDeath: () => void
      /** How long a thread may say nothing: as long as a claim lasts without a sign of life. */
      readonly silenceMs: number
    }
): Promise<RowThreads> {
  const { logger, onWait, onRegistry, onDeath, silenceMs, ...own } = options
  const threads = await Promise.all(Array.from({ length: count }, () => startThread(own, { onWait, onRegistry })))
  let closing = false
  let last = 0
  const watching = watch(threads, silenceMs, () => {
    logger.fatal({ code: 'INTERNAL' }, 'a thread of the worker no longer answers')
    onDeath()
  })
  for (const { worker } of threads) {
    worker.on('error', error => logger.fatal({ code: 'INTERNAL', name: error.name }, 'a thread of the worker failed'))
    worker.on('exit', () => {
      if (!closing) onDeath()
    })
  }
  return {
    run(job) {
      const idlest = threads.reduce((best, thread) => (thread.pending.size < best.pending.size ? thread : best))
      last += 1
      return send(idlest, last, job)
    },
    pools: () => threads.map(thread => thread.counts),
    async close() {
      closing = true
      clearInterval(watching)
      await Promise.all(threads.map(end))
    }
  }
}
