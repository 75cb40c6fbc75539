import { createHash } from 'node:crypto'
import type { Json } from '../model/json.ts'
import type { Composition, Field, Profile } from './profile.ts'

/** JSON with sorted members, so that equal rules give equal text on every machine. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(',')}}`
}

const versioned = (part: { readonly name: string; readonly version: number }): Json => [part.name, part.version]

function fieldRules(field: Field): unknown {
  const { title: _title, pii: _pii, reader, finders, constraints, hints, ...rest } = field
  return {
    ...rest,
    ...(hints.length === 0 ? {} : { hints }),
    reader: reader && versioned(reader),
    finders: finders?.map(finder => [versioned(finder), finder.source ?? null]),
    constraints: {
      ...constraints,
      pattern: constraints.pattern && [constraints.pattern.source, constraints.pattern.flags]
    }
  }
}

function compositionRules(composition: Composition): unknown {
  const { compose: _compose, ...rest } = composition
  return rest
}

const known = new WeakMap<Profile, string>()

/** Digits of a digest in a version. */
const SHOWN_DIGITS = 8

/**
 * The profile's version and the digest of all that decides an outcome, such as `permit@3+9f2c01d4`: fields, natural
 * key, rules, gate. Functions count by their declared name and version; titles and PII classes do not count.
 */
export function manifestVersion(profile: Profile): string {
  let version = known.get(profile)
  if (version === undefined) {
    const { title: _title, fields, rules, compositions, ...rest } = profile
    const text = canonicalText({
      ...rest,
      fields: Object.values(fields).map(fieldRules),
      rules: rules.map(rule => ({ name: rule.name, version: rule.version, settings: rule.settings })),
      compositions: compositions.map(compositionRules)
    })
    const digest = createHash('sha256').update(text).digest('hex').slice(0, SHOWN_DIGITS)
    version = `${profile.name}@${profile.version}+${digest}`
    known.set(profile, version)
  }
  return version
}

/**
 * The version that records of a jurisdiction are judged under: the profile's, and after a point the digest of the rules of the
 * jurisdiction, where it has any, such as `permit@3+9f2c01d4.7be01a55`. `rulesDigest` in hex.
 */
export function judgedVersion(profile: Profile, rulesDigest: string | null | undefined): string {
  const version = manifestVersion(profile)
  return rulesDigest ? `${version}.${rulesDigest.slice(0, SHOWN_DIGITS)}` : version
}
