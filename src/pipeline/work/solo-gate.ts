/** Lets work run side by side, or alone. */
export interface SoloGate {
  /** Runs `work` beside others; waits while one runs alone or waits to. */
  together<T>(work: () => Promise<T>): Promise<T>
  /** Runs `work` when nothing else of this gate runs. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Keeps a job that was started before without an end apart from all others of this process: if it ends the process
 * again, no neighbour is blamed with it.
 */
export function createSoloGate(): SoloGate {
  let running = 0
  let soloist: Promise<void> = Promise.resolve()
  let idle: () => void = () => undefined

  const leave = (): void => {
    running -= 1
    if (running === 0) idle()
  }
  return {
    async together(work) {
      for (let seen: Promise<void> | undefined; seen !== soloist; ) {
        seen = soloist
        await seen
      }
      running += 1
      try {
        return await work()
      } finally {
        leave()
      }
    },
    async alone(work) {
      const before = soloist
      let done: () => void = () => undefined
      soloist = new Promise(resolve => {
        done = resolve
      })
      await before
      if (running > 0) {
        await new Promise<void>(resolve => {
          idle = resolve
        })
      }
      try {
        return await work()
      } finally {
        done()
      }
    }
  }
}
