import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { AppError } from '../errors.ts'
import { defineProfile } from './define-profile.ts'
import { lease } from './lease/lease.ts'
import { permit } from './permit/permit.ts'
import { policy } from './policy/policy.ts'
import type { Profile, ProfileSpec } from './profile.ts'

const MODULE = /\.(?:ts|js|mjs)$/
const DECLARATION = /\.d\.ts$/

function invalid(file: string, problem: string, cause?: unknown): AppError {
  return new AppError('PROFILE_INVALID', `The profile file ${file} ${problem}.`, {
    details: { file },
    ...(cause === undefined ? {} : { cause })
  })
}

/** Enough of the shape for `defineProfile` to name whatever else is wrong. */
function isProfileSpec(value: unknown): value is ProfileSpec {
  if (typeof value !== 'object' || value === null) return false
  const members = new Map<string, unknown>(Object.entries(value))
  const areObjects = ['fields', 'gate'].every(
    name => typeof members.get(name) === 'object' && members.get(name) !== null
  )
  const areLists = ['naturalKey', 'rules'].every(name => Array.isArray(members.get(name)))
  return typeof members.get('name') === 'string' && areObjects && areLists
}

/** A module may export a plain definition or one that is defined already; both are checked here. */
async function loadProfile(folder: string, file: string): Promise<Profile> {
  let module: { readonly profile?: unknown }
  try {
    module = await import(pathToFileURL(path.resolve(folder, file)).href)
  } catch (error) {
    throw invalid(file, 'cannot be loaded', error)
  }
  if (!isProfileSpec(module.profile)) throw invalid(file, 'exports no `profile` that is a profile definition')
  return defineProfile(module.profile)
}

async function moduleNames(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names.filter(name => MODULE.test(name) && !DECLARATION.test(name)).toSorted()
  } catch (error) {
    throw new AppError('PROFILE_INVALID', 'The folder of profiles cannot be read. Check its path and rights.', {
      cause: error
    })
  }
}

/**
 * The built-in profiles and, when a folder is given, every `*.ts`, `*.js` and `*.mjs` in it that exports `profile`, by name.
 * @throws AppError `PROFILE_INVALID` for a file that is no sound profile or whose name is taken.
 */
export async function loadProfiles(folder?: string): Promise<ReadonlyMap<string, Profile>> {
  const profiles = new Map([permit, policy, lease].map((profile): [string, Profile] => [profile.name, profile]))
  if (folder === undefined) return profiles
  for (const file of await moduleNames(folder)) {
    const profile = await loadProfile(folder, file)
    if (profiles.has(profile.name)) throw invalid(file, `defines ${profile.name}, a name that is taken`)
    profiles.set(profile.name, profile)
  }
  return profiles
}
