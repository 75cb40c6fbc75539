import { createTurnstile, type Turnstile } from './limits/turnstile.ts'
import { withinTime } from './limits/within-time.ts'
import { toLookUp } from './provenance.ts'
import { type Answer, type LookUp, RegistryFault, type RegistryKind } from './registry.ts'
import type { OpenSources, Source } from './sources.ts'

export interface LookUpDeps {
  readonly sources: OpenSources
  /** Calls of this process in flight at once, of all chunks together. */
  readonly atOnce: number
  /** Milliseconds one call may take. */
  readonly timeoutMs: number
  /** Monotonic milliseconds. */
  readonly now: () => number
}

export interface Ask {
  readonly jurisdiction: string
  /** Distinct keys of each kind that is to be looked up. */
  readonly keys: Partial<Readonly<Record<RegistryKind, readonly string[]>>>
  /** `YYYY-MM-DD`. */
  readonly asOf: string
  readonly signal: AbortSignal
}

/** Every key that was asked for has its answer. */
export type Answers = ReadonlyMap<string, LookUp>
/** Only kinds that are configured for the jurisdiction. */
export type AnswersByKind = ReadonlyMap<RegistryKind, Answers>

/** Asks registries within limits. What does not answer in time is `unavailable`, which is transient. */
export interface LookUps {
  /** Looks a chunk's keys up, the kinds side by side. Throws faults of our own database, and the signal's reason. */
  ask(ask: Ask): Promise<AnswersByKind>
}

/** A set of keys may take this many times what one call may; what has not been asked by then is not asked any more. */
const SET_TIMEOUTS = 2

function setsOf(keys: readonly string[], size: number): (readonly string[])[] {
  const sets: (readonly string[])[] = []
  for (let i = 0; i < keys.length; i += size) sets.push(keys.slice(i, i + size))
  return sets
}

interface Call {
  readonly asOf: string
  readonly signal: AbortSignal
  readonly until: number
}

/** The answers of one call; the fault's code when the registry gave none. */
async function callOnce(
  deps: LookUpDeps & { readonly turnstile: Turnstile },
  source: Source,
  keys: readonly string[],
  { asOf, signal, until }: Call
): Promise<ReadonlyMap<string, Answer> | string> {
  try {
    return await deps.turnstile.pass(() =>
      withinTime(
        end => source.adapter.lookUp(keys, { asOf, signal: end }),
        Math.min(deps.timeoutMs, until - deps.now()),
        signal
      )
    )
  } catch (error) {
    if (error instanceof RegistryFault) return error.code
    throw error
  }
}

/** The limits that all slots of a process share. */
export function createLookUps(limits: LookUpDeps): LookUps {
  const deps = { ...limits, turnstile: createTurnstile(limits.atOnce) }
  const lookUpKind = async (source: Source, keys: readonly string[], call: Call): Promise<Answers> => {
    const given = {
      registry: source.name,
      asOf: call.asOf,
      fetchedAt: new Date().toISOString(),
      fromCache: false
    }
    const answers = await Promise.all(
      setsOf(keys, source.adapter.keysPerCall).map(async set => {
        const found = await callOnce(deps, source, set, call)
        return set.map((key): [string, LookUp] => {
          const answer = typeof found === 'string' ? undefined : found.get(key)
          if (answer) return [key, toLookUp(key, answer, given)]
          return [key, { kind: 'unavailable', code: typeof found === 'string' ? found : 'key_unanswered' }]
        })
      })
    )
    return new Map(answers.flat())
  }
  return {
    async ask({ jurisdiction, keys, asOf, signal }) {
      const sources = await deps.sources(jurisdiction)
      const call = { asOf, signal, until: deps.now() + SET_TIMEOUTS * deps.timeoutMs }
      const asked = [...sources.values()].flatMap(source => {
        const wanted = keys[source.kind]
        return wanted ? [lookUpKind(source, wanted, call).then(answers => [source.kind, answers] as const)] : []
      })
      return new Map(await Promise.all(asked))
    }
  }
}
