import { setTimeout as sleep } from 'node:timers/promises'
import { isInfrastructureFault } from '../../db/sqlstate.ts'
import { errorFields, type Logger } from '../../logger.ts'
import { type Answer, RegistryFault } from '../registry.ts'
import type { Source } from '../sources.ts'
import { backoffMs, MAX_TRIES } from './backoff.ts'
import type { Turnstile } from './turnstile.ts'
import { withinTime } from './within-time.ts'

export interface CallDeps {
  /** Milliseconds one call may take. */
  readonly timeoutMs: number
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** 0–1. */
  readonly random: () => number
  readonly logger: Logger
  /** The places of a source's calls. */
  readonly turnstileOf: (source: Source) => Turnstile
  /** Told of every call: seconds, and the fault's code or `ok`. */
  readonly onCall: (source: Source, seconds: number, outcome: string) => void
}

export interface Call {
  /** `YYYY-MM-DD`. */
  readonly asOf: string
  readonly signal: AbortSignal
  /** When the whole set of keys must be done, by `now`. */
  readonly until: number
  /** What is kept for less than so many seconds more is asked for anew. */
  readonly freshSeconds?: number
}

/** The answers, or the code of the fault for which there are none. */
export type Called = ReadonlyMap<string, Answer> | string

/** A fault of the registry's. Faults of our own database, and the end of the job, are thrown on. */
function faultOf(deps: CallDeps, source: Source, error: unknown, signal: AbortSignal): RegistryFault {
  if (error instanceof RegistryFault) return error
  if (signal.aborted || isInfrastructureFault(error)) throw error
  const { jurisdiction, kind: name } = source
  deps.logger.error({ jurisdiction, name, ...errorFields(error) }, 'an adapter failed')
  return new RegistryFault('transient', 'adapter_failed')
}

/** One try. Answers what came, a fault, or undefined when there is no time left for one. */
async function tryOnce(
  deps: CallDeps,
  source: Source,
  keys: readonly string[],
  { asOf, signal, until }: Call
): Promise<ReadonlyMap<string, Answer> | RegistryFault | undefined> {
  return deps.turnstileOf(source).pass(async () => {
    const begun = deps.now()
    const mayTakeMs = Math.min(deps.timeoutMs, until - begun)
    if (mayTakeMs <= 0) return undefined
    const end = (outcome: string): void => deps.onCall(source, (deps.now() - begun) / 1000, outcome)
    try {
      const answers = await withinTime(inner => source.adapter.lookUp(keys, { asOf, signal: inner }), mayTakeMs, signal)
      end('ok')
      await source.breaker.succeeded()
      return answers
    } catch (error) {
      const fault = faultOf(deps, source, error, signal)
      end(fault.code)
      // Cut off early for want of time, a call says little about the registry.
      const isItsFault = fault.code !== 'timeout' || mayTakeMs >= deps.timeoutMs / 2
      if (isItsFault) await source.breaker.failed(fault)
      return fault
    }
  })
}

/**
 * Asks a registry for up to `keysPerCall` keys: through its breaker, a few times when a fault may pass, never longer than
 * the set has time. Throws faults of our own database and the signal's reason.
 */
export async function callRegistry(
  deps: CallDeps,
  source: Source,
  keys: readonly string[],
  call: Call
): Promise<Called> {
  if ((await source.breaker.admit()) === 'open') return 'breaker_open'
  for (let tries = 1; ; tries++) {
    const outcome = await tryOnce(deps, source, keys, call)
    if (outcome === undefined) return 'no_time'
    if (!(outcome instanceof RegistryFault)) return outcome
    const waitMs = backoffMs(tries, outcome.retryAfterMs, deps.random())
    const isLast = outcome.kind === 'configuration' || tries === MAX_TRIES || source.breaker.isOpen
    if (isLast || deps.now() + waitMs >= call.until) return outcome.code
    await sleep(waitMs, undefined, { signal: call.signal })
    // Somebody else may have found meanwhile that it is of no use.
    if (source.breaker.isOpen) return outcome.code
  }
}
