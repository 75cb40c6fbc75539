import type { Queryable } from '../../db/pool.ts'
import {
  type BreakerRow,
  type BreakerScope,
  claimTrial,
  noteFailure,
  noteSuccess,
  raiseAlert
} from '../../db/registries/breakers.ts'
import type { Logger } from '../../logger.ts'
import type { RegistryFault, RegistryKind } from '../registry.ts'

/** `trial`: this caller alone may try. `open`: nobody is to call. */
export type Admission = 'closed' | 'trial' | 'open'

/** Keeps calls from a registry that does not answer. Its state is in the database, so that all workers act alike. */
export interface Breaker {
  /** As last seen: another worker may have changed it a moment ago. */
  readonly isOpen: boolean
  /** Whether it is of any use to ask: it is closed, or a trial is due. */
  readonly mayTry: boolean
  /** Whether to call now. Throws database errors, as all of these do. */
  admit(): Promise<Admission>
  failed(fault: RegistryFault): Promise<void>
  succeeded(): Promise<void>
  /** Takes up what the database says; undefined: closed. */
  see(row: BreakerRow | undefined): void
}

export interface BreakerLimits {
  /** Failures in a row that open it. */
  readonly failures: number
  /** Seconds it stays open at first; doubles with every trial that fails. */
  readonly waitSeconds: number
  readonly longestSeconds: number
  /** Seconds it stays open when only an operator can help: what is mended at the registry is found out by itself too. */
  readonly brokenSeconds: number
  /** Seconds a trial may take before somebody else tries. */
  readonly trialSeconds: number
}

export const BREAKER_LIMITS: BreakerLimits = {
  failures: 5,
  waitSeconds: 5,
  longestSeconds: 60,
  brokenSeconds: 300,
  trialSeconds: 15
}

/** What a registry may ask for at most, so that a slip of its does not keep records for days. */
const MAX_ASKED_MS = 3_600_000

export interface BreakerDeps {
  readonly db: Queryable
  readonly logger: Logger
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly limits: BreakerLimits
}

/** The breaker of one registry. */
export function createBreaker(deps: BreakerDeps, jurisdiction: string, kind: RegistryKind): Breaker {
  const { db, logger, now, limits } = deps
  const scope: BreakerScope = { jurisdiction, kind }
  let isOpen = false
  let failures = 0
  let retryAt = 0
  const see = (row: BreakerRow | undefined): void => {
    isOpen = row?.state === 'open'
    failures = row?.failures ?? 0
    retryAt = now() + (row?.retryInMs ?? 0)
  }
  return {
    get isOpen() {
      return isOpen
    },
    get mayTry() {
      return !isOpen || now() >= retryAt
    },
    see,
    async admit() {
      if (!isOpen) return 'closed'
      if (now() < retryAt) return 'open'
      return (await claimTrial(db, scope, limits.trialSeconds)) ? 'trial' : 'open'
    },
    async failed({ kind: faultKind, code, retryAfterMs }) {
      const isBroken = faultKind === 'configuration'
      const row = await noteFailure(db, scope, {
        faultKind,
        code,
        most: limits.failures,
        waitSeconds: isBroken ? limits.brokenSeconds : limits.waitSeconds,
        longestSeconds: Math.max(limits.longestSeconds, isBroken ? limits.brokenSeconds : 0),
        askedSeconds: retryAfterMs === undefined ? null : Math.min(retryAfterMs, MAX_ASKED_MS) / 1000
      })
      see(row)
      if (row.opened) logger.warn({ jurisdiction, name: kind, code, failure_class: faultKind }, 'registry is not asked')
      if (isBroken && (await raiseAlert(db, scope, code))) {
        logger.error({ jurisdiction, name: kind, code }, 'registry must be mended by an operator')
      }
    },
    async succeeded() {
      if (!isOpen && failures === 0) return
      const wasOpen = await noteSuccess(db, scope)
      see(undefined)
      if (wasOpen) logger.warn({ jurisdiction, name: kind }, 'registry is asked again')
    }
  }
}
