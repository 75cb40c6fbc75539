/** Lets work of the same key run one after another. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Work of this process that would do the same thing twice at once waits, and finds it done. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
