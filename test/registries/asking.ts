import type { Test } from 'tap'
import type { Pool } from '../../src/db/pool.ts'
import { createLogger } from '../../src/logger.ts'
import { newId } from '../../src/model/ids.ts'
import type { BreakerLimits } from '../../src/registries/breaker/breaker.ts'
import type { Answers } from '../../src/registries/look-ups.ts'
import { openRegistries } from '../../src/registries/open-look-ups.ts'
import { JURISDICTION } from '../helpers/factory.ts'

/** Quick enough for a test; the proportions are those of the limits in use. */
const QUICK: BreakerLimits = { failures: 5, waitSeconds: 0.4, longestSeconds: 2, brokenSeconds: 0.4, trialSeconds: 3 }

export interface Asker {
  ask(keys: readonly string[], jurisdiction?: string): Promise<Answers>
  /** Kind or value of each answer, by key. */
  told(keys: readonly string[]): Promise<Record<string, string>>
  settled(): Promise<void>
  readonly lines: Record<string, unknown>[]
}

/** What one thread of a worker asks registries with. */
export function asker(t: Test, pool: Pool, { timeoutMs = 1000, limits = QUICK } = {}): Asker {
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({
    component: 'test',
    destination: { write: line => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  })
  const { lookUps } = openRegistries({
    pool,
    logger,
    newId,
    secretsFolder: undefined,
    atOnce: 32,
    timeoutMs,
    breakerLimits: limits
  })
  t.teardown(() => lookUps.settled())
  const ask = async (keys: readonly string[], jurisdiction = JURISDICTION): Promise<Answers> => {
    const signal = new AbortController().signal
    const answers = await lookUps.ask({ jurisdiction, keys: { parcel: keys }, asOf: '2026-11-30', signal })
    return answers.get('parcel') ?? new Map()
  }
  return {
    ask,
    lines,
    settled: () => lookUps.settled(),
    async told(keys) {
      const answers = await ask(keys)
      const tell = (key: string): string => {
        const answer = answers.get(key)
        if (answer?.kind === 'match') return answer.value['zoningCode'] as string
        return answer?.kind === 'unavailable' ? answer.code : (answer?.kind ?? 'not configured')
      }
      return Object.fromEntries(keys.map(key => [key, tell(key)]))
    }
  }
}

/** Polls until it is so. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, 20))
}
