import type { Queryable } from '../db/pool.ts'
import { daysBetween } from '../model/calendar.ts'
import { type CacheDeps, type Found, lookUpCached } from './cache/cached-look-up.ts'
import { type Call, type CallDeps, callRegistry } from './limits/call-registry.ts'
import { type Places, sharedTurnstile } from './limits/places.ts'
import { createTurnstile, type Turnstile } from './limits/turnstile.ts'
import { type Given, toLookUp } from './provenance.ts'
import type { Answer, AskContext, LookUp, RegistryKind } from './registry.ts'
import type { Keeping, OpenSources, Source } from './sources.ts'

export interface LookUpDeps extends Pick<CallDeps, 'timeoutMs' | 'now' | 'random' | 'logger'> {
  readonly db: Queryable
  readonly sources: OpenSources
  readonly newId: () => string
  /** Calls of this thread in flight at once to registries elsewhere, of all chunks together. */
  readonly atOnce: number
  /** Where the threads of the process count their calls to each host together. */
  readonly places: Places
  readonly onCall?: CallDeps['onCall']
  readonly onLookUp?: CacheDeps['onLookUp']
}

export interface Ask {
  readonly jurisdiction: string
  /** Distinct keys of each kind that is to be looked up. */
  readonly keys: Partial<Readonly<Record<RegistryKind, readonly string[]>>>
  /** `YYYY-MM-DD`. */
  readonly asOf: string
  readonly signal: AbortSignal
  /** When the answers must be there, as `deadline` gives it; a chunk that asks twice has one. */
  readonly until?: number
  /** Answers that are kept for less than so many seconds more are asked for anew beside; by default outdated ones are. */
  readonly freshSeconds?: number
}

/** Every key that was asked for has its answer. */
export type Answers = ReadonlyMap<string, LookUp>
/** Only kinds that are configured for the jurisdiction. */
export type AnswersByKind = ReadonlyMap<RegistryKind, Answers>

/** Asks registries through cache, breaker and limits. What does not answer in time is `unavailable`, which is transient. */
export interface LookUps {
  /** Looks a chunk's keys up, the kinds side by side. Throws faults of our own database, and the signal's reason. */
  ask(ask: Ask): Promise<AnswersByKind>
  /** Until when a chunk that begins to ask now may ask. */
  deadline(): number
  /**
   * Asks a registry that is left alone for one key, whatever is kept of it, when it is time for a trial: its breaker says
   * afterwards whether it answers. Throws as `ask` does.
   */
  tryAgain(source: Source, key: string, context: AskContext): Promise<void>
  /** Ends when what is asked for beside the work has ended. */
  settled(): Promise<void>
}

/** A set of keys may take this many times what one call may; what has not been asked by then is not asked any more. */
const SET_TIMEOUTS = 2

function setsOf(keys: readonly string[], size: number): (readonly string[])[] {
  const sets: (readonly string[])[] = []
  for (let i = 0; i < keys.length; i += size) sets.push(keys.slice(i, i + size))
  return sets
}

/**
 * Calls to registries elsewhere pass their host's turnstile, first that of this thread and then that of the process, and then
 * the one of all; tables are bounded by the connections.
 */
function turnstilesOf(atOnce: number, places: Places): (source: Source) => Turnstile {
  const all = createTurnstile(atOnce)
  const free: Turnstile = { pass: run => run() }
  const byHost = new Map<string, Turnstile>()
  return ({ remote }) => {
    if (!remote) return free
    const { host, concurrency } = remote
    const key = `${host} ${concurrency}`
    const own = byHost.get(key) ?? createTurnstile(concurrency)
    byHost.set(key, own)
    const shared = sharedTurnstile(places, host, concurrency)
    return { pass: run => own.pass(() => shared.pass(() => all.pass(run))) }
  }
}

/** Asks for any number of keys. While the breaker is open the first set alone is a trial for all. */
async function fetchAll(
  deps: CallDeps,
  source: Source,
  keys: readonly string[],
  call: Call
): Promise<ReadonlyMap<string, Answer | string>> {
  const results = new Map<string, Answer | string>()
  const fetchSet = async (set: readonly string[]): Promise<void> => {
    const called = await callRegistry(deps, source, set, call)
    for (const key of set) {
      results.set(key, typeof called === 'string' ? called : (called.get(key) ?? 'key_unanswered'))
    }
  }
  const sets = setsOf(keys, source.adapter.keysPerCall)
  const trial = source.breaker.isOpen ? sets.splice(0, 1) : []
  for (const set of trial) await fetchSet(set)
  await Promise.all(sets.map(fetchSet))
  return results
}

const unavailable = (code: string): LookUp => ({ kind: 'unavailable', code })

/** An answer as a look-up; `stale` where the registry says that its entry is older than is relied on. */
function lookUpOf({ maxAgeDays }: Source, key: string, answer: Answer, given: Given): LookUp {
  const lookUp = toLookUp(key, answer, given)
  if (lookUp.kind !== 'match' || maxAgeDays === undefined || answer.kind !== 'match' || !answer.asOf) return lookUp
  // What a registry says of its entry may be an instant, of which the day counts.
  return daysBetween(answer.asOf, given.asOf) > maxAgeDays ? { ...lookUp, kind: 'stale' } : lookUp
}

function resultOf(source: Source, key: string, found: Found, asOf: string): LookUp {
  if ('fault' in found) return unavailable(found.fault)
  const { answer, fetchedAt, fromCache } = found
  return lookUpOf(source, key, answer, { registry: source.name, asOf, fetchedAt, fromCache })
}

/** Makes the look-ups that all slots of a process share. */
export function createLookUps(deps: LookUpDeps): LookUps {
  const { db, now, newId } = deps
  const calls: CallDeps = {
    ...deps,
    turnstileOf: turnstilesOf(deps.atOnce, deps.places),
    onCall: deps.onCall ?? (() => undefined)
  }
  const besides = new Set<Promise<void>>()
  const beside = (work: () => Promise<void>): void => {
    const running = work()
      .catch(() => undefined)
      .finally(() => besides.delete(running))
    besides.add(running)
  }
  const fetch: CacheDeps['fetch'] = (source, keys, call) => fetchAll(calls, source, keys, call)
  const cache: CacheDeps = { db, newId, now, fetch, beside, onLookUp: deps.onLookUp ?? (() => undefined) }
  const uncached = async (source: Source, keys: readonly string[], call: Call): Promise<Answers> => {
    const given = { registry: source.name, asOf: call.asOf, fetchedAt: new Date().toISOString(), fromCache: false }
    const found = await fetch(source, keys, call)
    const answers = new Map<string, LookUp>()
    for (const key of keys) {
      const answer = found.get(key) ?? 'key_unanswered'
      answers.set(key, typeof answer === 'string' ? unavailable(answer) : lookUpOf(source, key, answer, given))
    }
    return answers
  }
  const hasKeeping = (source: Source): source is Source & { keeping: Keeping } => source.keeping !== undefined
  const lookUpKind = async (source: Source, keys: readonly string[], call: Call): Promise<Answers> => {
    if (!hasKeeping(source)) return uncached(source, keys, call)
    const found = await lookUpCached(cache, source, keys, call)
    const missing: Found = { fault: 'key_unanswered' }
    return new Map(keys.map(key => [key, resultOf(source, key, found.get(key) ?? missing, call.asOf)]))
  }
  const deadline = (): number => now() + SET_TIMEOUTS * deps.timeoutMs
  return {
    deadline,
    async ask({ jurisdiction, keys, asOf, signal, until = deadline(), freshSeconds = 0 }) {
      const call = { asOf, signal, until, freshSeconds }
      const sources = await deps.sources(jurisdiction)
      const asked = [...sources.values()].flatMap(source => {
        const wanted = keys[source.kind]
        return wanted ? [lookUpKind(source, wanted, call).then(answers => [source.kind, answers] as const)] : []
      })
      return new Map(await Promise.all(asked))
    },
    async tryAgain(source, key, { asOf, signal }) {
      await fetch(source, [key], { asOf, signal, until: deadline() })
    },
    settled: async () => void (await Promise.all(besides))
  }
}
