import { AppError } from '../errors.ts'
import type { Field, FieldSpec, Profile, ProfileSpec } from './profile.ts'
import { profileFaults } from './profile-faults.ts'

function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || value instanceof RegExp) return value
  for (const member of Object.values(value)) freezeDeep(member)
  return Object.freeze(value)
}

function completeField(name: string, spec: FieldSpec): Field {
  return {
    ...spec,
    name,
    required: spec.required ?? false,
    filledBy: spec.filledBy ?? 'submission',
    columns: spec.columns ?? [],
    fallbacks: spec.fallbacks ?? [],
    hints: spec.hints ?? [],
    labels: spec.labels ?? [],
    notLabels: spec.notLabels ?? [],
    constraints: spec.constraints ?? {},
    yearPivot: spec.yearPivot ?? 'past'
  }
}

/**
 * Makes a profile of its definition: checked as a whole, completed with defaults and frozen.
 * @throws AppError `PROFILE_INVALID` that names everything wrong at once.
 */
export function defineProfile(spec: ProfileSpec): Profile {
  const faults = profileFaults(spec)
  if (faults.length > 0) {
    throw new AppError('PROFILE_INVALID', `The profile ${spec.name} is not sound: ${faults.join('; ')}.`, {
      details: { profile: spec.name, faults }
    })
  }
  const fields = Object.fromEntries(
    Object.entries(spec.fields).map(([name, field]) => [name, completeField(name, field)])
  )
  return freezeDeep({
    ...spec,
    fields,
    requireOneOf: spec.requireOneOf ?? [],
    compositions: spec.compositions ?? []
  })
}
