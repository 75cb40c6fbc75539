import { setTimeout as delay } from 'node:timers/promises'
import type { Io } from '../command.ts'

/** Longer than any request or chunk is given to end; whoever sent the signal kills us soon after. */
const CLOSE_LIMIT_MS = 60_000

/**
 * Waits for SIGTERM, SIGINT or, in a child of `docket start`, the end of the parent; then closes and answers 0.
 * A second signal, or a close that takes longer than a minute, ends the process at once with status 1.
 */
export async function runUntilStopped(close: () => Promise<void>, io: Io): Promise<number> {
  await stopSignal()
  const limit = new AbortController()
  const outcome = await Promise.race([
    close().then(() => 0),
    stopSignal().then(() => 1),
    delay(CLOSE_LIMIT_MS, 1, { signal: limit.signal, ref: false })
  ])
  limit.abort()
  if (outcome === 1) io.err('stopped without waiting for what was under way')
  return outcome
}

function stopSignal(): Promise<void> {
  return new Promise(settle => {
    const end = (): void => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, end)
      process.off('disconnect', end)
      settle()
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end)
    process.once('disconnect', end)
  })
}

/** Runs `work` with a signal that SIGTERM and SIGINT abort; a second one ends the process as it does by default. */
export async function withStopSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)
  try {
    return await work(stopping.signal)
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, stop)
  }
}
