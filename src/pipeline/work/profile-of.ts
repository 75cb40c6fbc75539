import { AppError } from '../../errors.ts'
import type { Profile } from '../../profiles/profile.ts'
import type { PipelineDeps } from './pipeline-deps.ts'

/** The profile of that name; a worker without it must leave the work to one that has it. */
export function profileOf(deps: Pick<PipelineDeps, 'profiles'>, name: string): Profile {
  const profile = deps.profiles.get(name)
  if (!profile)
    throw new AppError('PROFILE_UNKNOWN', `This worker has no profile ${name}. Start it with the same DOCKET_PROFILES.`)
  return profile
}
