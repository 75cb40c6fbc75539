import { setTimeout as delay } from 'node:timers/promises'

/** Asks again and again until the answer is something; throws, naming what was waited for, after `seconds`. */
export async function waitFor<T>(
  what: string,
  seconds: number,
  ask: () => Promise<T | undefined | false>,
  everyMs = 50
): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > end) throw new Error(`waited ${seconds} s for ${what} in vain`)
    await delay(everyMs)
  }
}

/** How long something took, in seconds, with its answer. */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly seconds: number; readonly answer: T }> {
  const begun = performance.now()
  const answer = await work()
  return { seconds: (performance.now() - begun) / 1000, answer }
}
