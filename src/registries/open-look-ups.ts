import type { Pool } from '../db/pool.ts'
import type { BreakerLimits } from './breaker/breaker.ts'
import { createSecrets } from './configuration/secrets.ts'
import { createPlaces, type Places } from './limits/places.ts'
import { createLookUps, type LookUpDeps, type LookUps } from './look-ups.ts'
import { createSources, type OpenSources } from './sources.ts'

export interface Registries {
  readonly lookUps: LookUps
  readonly sources: OpenSources
}

export interface RegistryOptions
  extends Pick<LookUpDeps, 'logger' | 'newId' | 'atOnce' | 'timeoutMs' | 'onCall' | 'onLookUp'> {
  readonly pool: Pool
  readonly secretsFolder: string | undefined
  /** Those of the process, where more than one of its threads asks registries. */
  readonly places?: Places
  readonly breakerLimits?: BreakerLimits
}

/** The registries of all jurisdictions, as they are configured in the database, and what asks them. */
export function openRegistries({
  pool,
  secretsFolder,
  breakerLimits,
  places = createPlaces(),
  ...limits
}: RegistryOptions): Registries {
  const now = (): number => performance.now()
  const sources = createSources({
    db: pool,
    secrets: createSecrets(secretsFolder),
    logger: limits.logger,
    now,
    ...(breakerLimits ? { breakerLimits } : {})
  })
  const random = (): number => Math.random()
  return { sources, lookUps: createLookUps({ ...limits, places, db: pool, sources, now, random }) }
}
