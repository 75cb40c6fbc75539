import type { FeeSchedule, LookUp, Parcel, Registry } from './registry.ts'

export interface LookUpLimits {
  /** Calls of this process in flight at once, of all chunks together. */
  readonly atOnce: number
  /** Milliseconds one call may take. */
  readonly timeoutMs: number
}

/** Asks registries within limits. What does not answer in time is `unavailable`, which is transient. */
export interface LookUps {
  /** Every id has an answer. Throws what the registry throws, and the signal's reason. */
  parcels(
    registry: Registry,
    ids: readonly string[],
    asOf: string,
    signal: AbortSignal
  ): Promise<ReadonlyMap<string, LookUp<Parcel>>>
  /** Undefined: unavailable. Throws like `parcels`. */
  feeSchedules(registry: Registry, asOf: string, signal: AbortSignal): Promise<readonly FeeSchedule[] | undefined>
}

/** A set of keys may take this many times what one call may; what has not been asked by then is not asked any more. */
const SET_TIMEOUTS = 2

/** Lets so many through at a time, in the order they came. */
function createTurnstile(places: number) {
  let free = places
  const waiting: (() => void)[] = []
  return {
    async enter(): Promise<void> {
      if (free > 0) free -= 1
      else await new Promise<void>(resolve => waiting.push(resolve))
    },
    leave(): void {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

/** Undefined when the call has not answered in time, or when there is no time left; it is told to end then. */
async function withinTime<T>(
  call: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  signal: AbortSignal
): Promise<T | undefined> {
  signal.throwIfAborted()
  if (timeoutMs <= 0) return undefined
  const end = new AbortController()
  let stop: () => void = () => undefined
  const stopped = new Promise<undefined>((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), timeoutMs)
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort)
    stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      end.abort()
    }
  })
  try {
    return await Promise.race([call(end.signal), stopped])
  } finally {
    stop()
  }
}

function setsOf(ids: readonly string[], size: number): (readonly string[])[] {
  const sets: (readonly string[])[] = []
  for (let i = 0; i < ids.length; i += size) sets.push(ids.slice(i, i + size))
  return sets
}

/** The limits that all slots of a process share. */
export function createLookUps({ atOnce, timeoutMs }: LookUpLimits): LookUps {
  const turnstile = createTurnstile(atOnce)
  const ask = async <T>(
    call: (signal: AbortSignal) => Promise<T>,
    until: number,
    signal: AbortSignal
  ): Promise<T | undefined> => {
    await turnstile.enter()
    try {
      return await withinTime(call, Math.min(timeoutMs, until - performance.now()), signal)
    } finally {
      turnstile.leave()
    }
  }
  const deadline = (): number => performance.now() + SET_TIMEOUTS * timeoutMs
  return {
    async parcels(registry, ids, asOf, signal) {
      const until = deadline()
      const answers = await Promise.all(
        setsOf(ids, registry.keysPerCall).map(async set => {
          const found = await ask(end => registry.parcels(set, asOf, end), until, signal)
          return set.map(id => [id, found?.get(id) ?? { kind: 'unavailable' as const }] as const)
        })
      )
      return new Map(answers.flat())
    },
    feeSchedules: (registry, asOf, signal) => ask(end => registry.feeSchedules(asOf, end), deadline(), signal)
  }
}
