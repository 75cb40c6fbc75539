import { RegistryFault } from '../../registry.ts'

/** One reply: its rows, and whether the registry kept others back. */
export interface Reply<Row> {
  readonly rows: readonly Row[]
  readonly more: boolean
}

/** Whole rows of many keys; of the keys in `cut` there are others than these. */
export interface Rows<Row> {
  readonly rows: readonly Row[]
  readonly cut: ReadonlySet<string>
}

/** Most requests that one look-up makes. */
const MOST_REQUESTS = 24

/**
 * Asks sets of keys one after another. A set whose reply is not whole is asked again in halves, so that what is used of any
 * key comes from one whole reply and not from pages that a change may have moved; a single key that has too many rows for
 * one reply is `cut`. Throws what `ask` throws, and `truncated` when replies do not become whole.
 */
export async function askInHalves<Row>(
  sets: readonly (readonly string[])[],
  ask: (keys: readonly string[]) => Promise<Reply<Row>>
): Promise<Rows<Row>> {
  const waiting = sets.toReversed()
  const rows: Row[] = []
  const cut = new Set<string>()
  for (let request = 0; waiting.length > 0; request++) {
    if (request >= Math.max(MOST_REQUESTS, 2 * sets.length)) throw new RegistryFault('transient', 'truncated')
    const keys = waiting.pop() ?? []
    const reply = await ask(keys)
    if (reply.more && keys.length > 1) {
      const half = Math.ceil(keys.length / 2)
      waiting.push(keys.slice(half), keys.slice(0, half))
      continue
    }
    rows.push(...reply.rows)
    if (reply.more) for (const key of keys) cut.add(key)
  }
  return { rows, cut }
}
