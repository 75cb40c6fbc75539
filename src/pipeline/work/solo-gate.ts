/** How long work may take: seconds, or minutes. */
export type Length = 'short' | 'long'

/** Lets work run side by side, or alone. */
export interface SoloGate {
  /**
   * Runs `work` beside others. Long work waits from the moment on that something wants to run alone, short work only once
   * nothing but short work is left to wait for.
   */
  together<T>(work: () => Promise<T>, length?: Length): Promise<T>
  /** Runs `work` when nothing else of this gate runs. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Keeps a job that was started before without an end apart from all others of this process: if it ends the process
 * again, no neighbour is blamed with it. While it waits for long work, short work goes on.
 */
export function createSoloGate(): SoloGate {
  const running = { short: 0, long: 0 }
  let soloists = 0
  let turn: Promise<void> = Promise.resolve()
  let waiting: (() => void)[] = []

  const change = (): Promise<void> => new Promise(resolve => waiting.push(resolve))
  const tell = (): void => {
    const told = waiting
    waiting = []
    for (const wake of told) wake()
  }
  const mustWait = (length: Length): boolean => soloists > 0 && (length === 'long' || running.long === 0)

  return {
    async together(work, length = 'short') {
      // Nothing comes between finding the way free and taking it.
      while (mustWait(length)) await change()
      running[length] += 1
      try {
        return await work()
      } finally {
        running[length] -= 1
        tell()
      }
    },
    async alone(work) {
      soloists += 1
      const before = turn
      let done: () => void = () => undefined
      turn = new Promise(resolve => {
        done = resolve
      })
      await before
      try {
        while (running.long > 0 || running.short > 0) await change()
        return await work()
      } finally {
        soloists -= 1
        tell()
        done()
      }
    }
  }
}
