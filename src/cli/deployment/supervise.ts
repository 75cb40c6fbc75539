import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../errors.ts'

const STOP_LIMIT_MS = 30_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A process that ran this long was well: the next restart is quick again. */
const HEALTHY_MS = 60_000

export interface ProcessOptions {
  /** For messages. */
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** Asked at each start: a restart may need what the first start found out. */
  readonly env: () => Readonly<Record<string, string | undefined>>
  /** File descriptor its output goes to; ours by default. */
  readonly output?: number
  readonly log: (message: string) => void
}

export interface Supervised {
  /** What the process said when it was ready the first time. */
  readonly ready: unknown
  /** Asks it to end, waits, and kills it after half a minute. */
  stop(): Promise<void>
}

/**
 * Starts a process of our own, waits until it sends its ready message, and starts it again, with growing pauses,
 * whenever it ends unasked. Throws INTERNAL when it ends before it was ever ready.
 */
export async function supervise(options: ProcessOptions): Promise<Supervised> {
  let child = launch(options)
  const ready = await Promise.race([firstMessage(child), endOf(child).then(() => undefined)])
  if (ready === undefined) throw new AppError('INTERNAL', `The ${options.name} did not start; its own lines say why.`)
  const quit = new AbortController()
  const watch = async (): Promise<void> => {
    let pause = FIRST_PAUSE_MS
    while (!quit.signal.aborted) {
      const startedAt = Date.now()
      const how = await endOf(child)
      if (quit.signal.aborted) return
      pause = Date.now() - startedAt > HEALTHY_MS ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)
      options.log(`the ${options.name} ended (${how}) and is started again`)
      await delay(pause, undefined, { signal: quit.signal }).catch(() => undefined)
      if (!quit.signal.aborted) child = launch(options)
    }
  }
  const watching = watch()
  return {
    ready,
    async stop() {
      quit.abort()
      await end(child)
      await watching
    }
  }
}

function launch(options: ProcessOptions): ChildProcess {
  const [program, ...args] = options.command
  const output = options.output ?? 'inherit'
  // A group of its own: Ctrl-C reaches the parent alone, which ends its processes in order.
  return spawn(program, args, {
    detached: true,
    env: { ...options.env() },
    stdio: ['ignore', output, output, 'ipc']
  })
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  const [message]: unknown[] = await once(child, 'message')
  return message ?? {}
}

function endOf(child: ChildProcess): Promise<string> {
  const said = (): string => (child.signalCode === null ? `exit code ${child.exitCode}` : `signal ${child.signalCode}`)
  return new Promise(settle => {
    if (child.exitCode !== null || child.signalCode !== null) settle(said())
    child.once('exit', () => settle(said()))
    child.once('error', error => settle(error.message))
  })
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  const limit = new AbortController()
  const kill = delay(STOP_LIMIT_MS, undefined, { signal: limit.signal })
    .then(() => child.kill('SIGKILL'))
    .catch(() => false)
  await endOf(child)
  limit.abort()
  await kill
}
