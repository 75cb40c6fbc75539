import { nextRedrives, requestRetries } from '../../db/review/retries.ts'
import {
  claimRedrives,
  listAnswerable,
  listWaitingJurisdictions,
  listWaitingKeys,
  type WaitingKey
} from '../../db/review/unavailable.ts'
import { withTransaction } from '../../db/transaction.ts'
import { errorFields } from '../../logger.ts'
import { enqueueRuns } from '../../queue/enqueue.ts'
import { ALL_SCHEDULES, REGISTRY_KINDS, type RegistryKind } from '../../registries/registry.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'
import { ORIGIN_OF } from './addition.ts'

export type RedriveDeps = Pick<PipelineDeps, 'pool' | 'boss' | 'lookUps' | 'sources' | 'logger' | 'today'>

/** Records that are asked to run again in one transaction. */
const SET = 500
/** Sets of a jurisdiction in one go: what is left comes a few seconds later, so that none is asked for long in advance. */
const MAX_SETS = 20

/** A trial that takes longer is given up: its own limits have ended it long before. */
const TRIAL_MS = 60_000

const FIRST = '00000000-0000-0000-0000-000000000000'

const kindOf = (origin: string): RegistryKind | undefined => REGISTRY_KINDS.find(kind => ORIGIN_OF[kind] === origin)

/** Of the registries that records wait for, those that do not answer. One that is not configured any more is not waited for. */
async function registriesAway(
  deps: RedriveDeps,
  jurisdiction: string,
  waiting: readonly WaitingKey[]
): Promise<readonly string[]> {
  const away: string[] = []
  for (const { registry, key } of waiting) {
    const kind = kindOf(registry)
    const source = kind && (await deps.sources(jurisdiction)).get(kind)
    if (!kind || !source?.breaker.isOpen) continue
    if (source.breaker.mayTry) {
      // Nobody else may have work for it.
      const tried = kind === 'feeSchedule' ? ALL_SCHEDULES : key
      await deps.lookUps.tryAgain(source, tried, { asOf: deps.today(), signal: AbortSignal.timeout(TRIAL_MS) })
    }
    if (source.breaker.isOpen) away.push(registry)
  }
  return away
}

/** Has the next set run again; answers the last of its records and how many they are, or nothing when there are none. */
async function redriveSet(
  deps: RedriveDeps,
  jurisdiction: string,
  { away, after }: { readonly away: readonly string[]; readonly after: string }
): Promise<{ readonly last: string; readonly count: number } | undefined> {
  return withTransaction(deps.pool, async tx => {
    if (!(await claimRedrives(tx, jurisdiction))) return undefined
    const ids = await listAnswerable(tx, jurisdiction, { away, after, limit: SET })
    const last = ids.at(-1)
    if (last === undefined) return undefined
    const marked = await requestRetries(tx, jurisdiction, ids)
    const chunkIds = marked.map(({ chunkId }) => chunkId)
    const next = await nextRedrives(tx, jurisdiction, chunkIds)
    await enqueueRuns(deps.boss, tx, { jurisdiction, lane: 'standard' }, next)
    return { last, count: ids.length }
  })
}

async function redriveJurisdiction(deps: RedriveDeps, jurisdiction: string): Promise<number> {
  const away = await registriesAway(deps, jurisdiction, await listWaitingKeys(deps.pool, jurisdiction))
  let count = 0
  let after = FIRST
  for (let sets = 0; sets < MAX_SETS; sets++) {
    const set = await redriveSet(deps, jurisdiction, { away, after })
    if (!set) break
    count += set.count
    after = set.last
  }
  return count
}

/**
 * Has the records run again that were held because a registry did not answer, once it does: nobody has to ask for it.
 * Tries the registry itself when its time has come. Answers how many records that are; safe beside other workers.
 */
export async function redriveUnavailable(deps: RedriveDeps): Promise<number> {
  let count = 0
  for (const jurisdiction of await listWaitingJurisdictions(deps.pool)) {
    try {
      count += await redriveJurisdiction(deps, jurisdiction)
    } catch (error) {
      // Another jurisdiction's records do not wait for this one's fault.
      deps.logger.warn({ jurisdiction, ...errorFields(error) }, 'held records were not asked to run again')
    }
  }
  return count
}
