import { setTimeout as sleep } from 'node:timers/promises'
import { crashPoint } from '../../crash-points.ts'
import type { Queryable } from '../../db/pool.ts'
import { type CacheRow, type CacheScope, type KeptAnswer, readCache, writeCache } from '../../db/registries/cache.ts'
import type { Call } from '../limits/call-registry.ts'
import type { Answer } from '../registry.ts'
import type { Keeping, Source } from '../sources.ts'

export interface CacheDeps {
  readonly db: Queryable
  readonly newId: () => string
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Asks the registry itself for any number of keys; a key without an answer has a fault's code. */
  readonly fetch: (source: Source, keys: readonly string[], call: Call) => Promise<ReadonlyMap<string, Answer | string>>
  /** Takes on work that nobody waits for. */
  readonly beside: (work: () => Promise<void>) => void
  /** Told how many keys were answered from the cache, and how many were not. */
  readonly onLookUp: (source: Source, hits: number, misses: number) => void
}

/** An answer and where it came from, or the code of the fault for which there is none. */
export type Found =
  | { readonly answer: Answer; readonly fetchedAt: string; readonly fromCache: boolean }
  | { readonly fault: string }

/** A claim outlives the longest look-up; that of a worker that died is over soon after. */
const CLAIM_SECONDS = 20

/** How often it is looked whether another worker has its answer by now. */
const WAIT_MS = 100

const kept = (key: string, answer: Answer, keeping: Keeping): KeptAnswer => {
  const isNothing = answer.kind === 'no_match'
  return {
    key,
    answer,
    freshSeconds: isNothing ? keeping.negativeTtlSeconds : keeping.ttlSeconds,
    // That there is nothing holds a record: it is never told from an outdated answer.
    staleSeconds: isNothing ? 0 : keeping.staleSeconds
  }
}

const fromCache = ({ answer, fetchedAt }: CacheRow): Found => ({
  answer: answer as unknown as Answer,
  fetchedAt: fetchedAt ?? '',
  fromCache: true
})

interface Asking {
  readonly deps: CacheDeps
  readonly source: Source
  readonly scope: CacheScope
  readonly keeping: Keeping
}

/** Asks for claimed keys and keeps what comes; the claims on others are let go of, whatever happens. */
async function fetchClaimed(
  { deps, source, scope, keeping }: Asking,
  keys: readonly string[],
  by: string,
  call: Call
): Promise<Map<string, Found>> {
  let found: ReadonlyMap<string, Answer | string> = new Map()
  try {
    found = await deps.fetch(source, keys, call)
  } finally {
    const answers = [...found].flatMap(([key, answer]) =>
      typeof answer === 'string' ? [] : [kept(key, answer, keeping)]
    )
    crashPoint('registry.asked')
    const answered = new Set(answers.map(({ key }) => key))
    await writeCache(deps.db, scope, answers, { keys: keys.filter(key => !answered.has(key)), by })
  }
  crashPoint('registry.kept')
  const fetchedAt = new Date().toISOString()
  return new Map(
    keys.map(key => {
      const answer = found.get(key) ?? 'key_unanswered'
      return [key, typeof answer === 'string' ? { fault: answer } : { answer, fetchedAt, fromCache: false }]
    })
  )
}

interface Sorted {
  readonly hits: readonly CacheRow[]
  readonly claimed: readonly string[]
  /** Used as they are, and asked for anew by us. */
  readonly outdated: readonly string[]
  /** Somebody else is asking for them. */
  readonly awaited: readonly string[]
}

function sort(rows: readonly CacheRow[]): Sorted {
  const hits = rows.filter(row => row.answer !== null && (row.isFresh || row.isUsable))
  const misses = rows.filter(row => row.answer === null || !(row.isFresh || row.isUsable))
  return {
    hits,
    claimed: misses.filter(row => row.isClaimed).map(row => row.key),
    outdated: hits.filter(row => row.isClaimed).map(row => row.key),
    awaited: misses.filter(row => !row.isClaimed).map(row => row.key)
  }
}

/** Who asks ahead does not ask for what was just kept, however short it is. */
const aheadSeconds = ({ ttlSeconds, negativeTtlSeconds }: Keeping, { freshSeconds = 0 }: Call): number =>
  Math.min(freshSeconds, ttlSeconds / 2, negativeTtlSeconds / 2)

/** Time that work beside a chunk may take, as much as a chunk's own. */
const callBeside = (call: Call, now: number, until: number): Call => ({
  asOf: call.asOf,
  signal: new AbortController().signal,
  until: now + (call.until - until)
})

/**
 * Looks keys up through the cache. A chunk costs one statement that reads and claims and, when something was asked for,
 * one that writes; only who waits for another worker's answer reads again. While the registry is not asked, what is kept
 * and still usable is all there is. Throws faults of our own database and the signal's reason.
 */
export async function lookUpCached(
  deps: CacheDeps,
  source: Source & { readonly keeping: Keeping },
  keys: readonly string[],
  call: Call
): Promise<ReadonlyMap<string, Found>> {
  const { jurisdiction, kind, keeping, breaker } = source
  const asking: Asking = { deps, source, keeping, scope: { jurisdiction, kind, version: keeping.version } }
  const begun = deps.now()
  const freshSeconds = aheadSeconds(keeping, call)
  const results = new Map<string, Found>()
  let wanted = keys
  for (let isFirst = true; wanted.length > 0; isFirst = false) {
    const by = deps.newId()
    const { hits, claimed, outdated, awaited } = sort(
      await readCache(
        deps.db,
        asking.scope,
        wanted,
        breaker.mayTry ? { by, seconds: CLAIM_SECONDS, freshSeconds } : null
      )
    )
    for (const row of hits) results.set(row.key, fromCache(row))
    if (isFirst) deps.onLookUp(source, hits.length, wanted.length - hits.length)
    if (outdated.length > 0) {
      const later = callBeside(call, deps.now(), begun)
      deps.beside(async () => void (await fetchClaimed(asking, outdated, by, later)))
    }
    if (claimed.length > 0) {
      for (const [key, found] of await fetchClaimed(asking, claimed, by, call)) results.set(key, found)
    }
    wanted = awaited
    const isOver = deps.now() + WAIT_MS >= call.until || breaker.isOpen
    if (isOver) for (const key of wanted) results.set(key, { fault: breaker.isOpen ? 'breaker_open' : 'no_time' })
    if (isOver || wanted.length === 0) break
    await sleep(WAIT_MS, undefined, { signal: call.signal })
  }
  return results
}
