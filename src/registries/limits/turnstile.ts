export interface Turnstile {
  /** Runs when there is a place; at most so many run at once, in the order they came. */
  pass<T>(run: () => Promise<T>): Promise<T>
}

/** Lets so many through at a time, in the order they came. */
export function createTurnstile(places: number): Turnstile {
  let free = places
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return {
    async pass(run) {
      if (free > 0) free -= 1
      else await new Promise<void>(resolve => waiting.push(resolve))
      try {
        return await run()
      } finally {
        leave()
      }
    }
  }
}
