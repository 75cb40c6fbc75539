import type { Turnstile } from './turnstile.ts'

/** How many counters there are; hosts whose names fall on the same one share its places, which only makes them wait. */
const COUNTERS = 1024

/** Who is inside, by counter, in memory that all threads of a process see. */
export type Places = Int32Array<SharedArrayBuffer>

/** Made once for a process; its threads are given it when they start. */
export const createPlaces = (): Places => new Int32Array(new SharedArrayBuffer(COUNTERS * Int32Array.BYTES_PER_ELEMENT))

/** FNV-1a: the same counter for a name in every thread. */
function counterOf(name: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % COUNTERS
}

async function enter(places: Places, at: number, most: number): Promise<void> {
  for (;;) {
    const inside = Atomics.load(places, at)
    if (inside < most) {
      if (Atomics.compareExchange(places, at, inside, inside + 1) === inside) return
      continue
    }
    // Ends at once when somebody has left since.
    await Atomics.waitAsync(places, at, inside).value
  }
}

function leave(places: Places, at: number): void {
  Atomics.sub(places, at, 1)
  // All of the few that wait: whom one call wakes may have no place by a limit of its own.
  Atomics.notify(places, at)
}

/**
 * Lets at most so many through at a time by one name, whichever threads of the process they are in. Is to stand behind a
 * turnstile of the thread's own with as many places: no more than these wait here, and in the order they came.
 */
export function sharedTurnstile(places: Places, name: string, most: number): Turnstile {
  const at = counterOf(name)
  return {
    async pass(run) {
      await enter(places, at, most)
      try {
        return await run()
      } finally {
        leave(places, at)
      }
    }
  }
}
