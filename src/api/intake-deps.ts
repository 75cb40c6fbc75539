import type { Config } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import type { IntakeDeps, IntakeProfile, PlanFile } from '../intake/submission.ts'
import type { Logger } from '../logger.ts'
import type { NewId } from '../model/ids.ts'
import { planFile } from '../pipeline/split/plan-file.ts'
import { usedMapping } from '../pipeline/split/source-mapping.ts'
import { manifestVersion } from '../profiles/manifest-version.ts'
import type { Profile } from '../profiles/profile.ts'
import { takesDocuments } from '../profiles/takes-documents.ts'
import type { Boss } from '../queue/boss.ts'
import type { PayloadStore } from '../storage/payload-store.ts'

/**
 * How long a reservation outlives a process that died with it. Short, because a client with few tries gives up on a key
 * that stays taken; an upload that goes on renews it.
 */
const LEASE_SECONDS = 6

const toIntakeProfile = (profile: Profile): IntakeProfile => ({
  name: profile.name,
  manifestVersion: manifestVersion(profile),
  takesDocuments: takesDocuments(profile)
})

const planWith =
  (profiles: ReadonlyMap<string, Profile>, bounds: Config['chunk']): PlanFile =>
  async ({ profile: name, mapping, encoding, file, bytes }) => {
    const profile = profiles.get(name)
    if (!profile) throw new Error('The profile was checked before.')
    const source = mapping === null ? null : usedMapping(profile, mapping)
    return planFile({ profile, mediaType: file.mediaType, bytes, bounds, source, encoding })
  }

export interface Resources {
  readonly pool: Pool
  readonly boss: Boss
  readonly store: PayloadStore
  readonly logger: Logger
  readonly newId: NewId
  readonly profiles: ReadonlyMap<string, Profile>
}

/** What intake works with, from a configuration and what was opened by it. */
export const intakeDeps = (
  config: Pick<Config, 'chunk' | 'limits' | 'idempotencyTtlSeconds'>,
  resources: Resources
): IntakeDeps => ({
  ...resources,
  profiles: new Map([...resources.profiles].map(([name, profile]) => [name, toIntakeProfile(profile)])),
  planFile: planWith(resources.profiles, config.chunk),
  limits: config.limits,
  idempotencyTtlSeconds: config.idempotencyTtlSeconds,
  leaseSeconds: LEASE_SECONDS
})
