import { foldShort } from '../text.ts'
import type { ParcelScheme } from './parcel-schemes.ts'

/** Longer text is no parcel number. */
const MAX_PARCEL = 200

/** A mask is short text: signs for characters, and separators. */
const MASK = /^[#@?][#@? .\-/]{1,59}$/

/** Each doubles the ways in which a number may be tried against the mask; offices have one or two. */
const MOST_OPTIONAL = 6

/** `#` is a digit, `@` a letter, `?` one more of the sign before it or none. */
function patternOf(mask: string): string {
  return mask
    .replace(/[ .\-/]/g, '')
    .replaceAll('#', '\\d')
    .replaceAll('@', '[A-Z]')
}

/**
 * A scheme of a mask such as `##-##-###-###-####`: `#` a digit, `@` a letter, `?` after one of them that it may be missing,
 * anything else a separator. `suffix` is added when only the part before it is written. Null when the mask cannot be read, or
 * has more than 6 signs that may be missing.
 */
export function schemeOfMask(
  mask: string,
  { suffix, padsGroups = false }: { readonly suffix?: string; readonly padsGroups?: boolean } = {}
): ParcelScheme | null {
  if (!MASK.test(mask) || /^\?|\?\?/.test(mask)) return null
  const groups = mask.split(/[ .\-/]+/).map(part => part.replace(/[?]/g, '').length)
  const length = groups.reduce((sum, group) => sum + group, 0)
  const optional = mask.split('?').length - 1
  if (optional > MOST_OPTIONAL) return null
  const scheme: ParcelScheme = {
    name: `mask ${mask}`,
    key: new RegExp(`^${patternOf(mask)}$`),
    least: padsGroups ? groups.length : Math.max(1, length - optional - (suffix?.length ?? 0)),
    groups,
    padsGroups
  }
  if (suffix === undefined) return scheme
  return suffix.length < length ? { ...scheme, suffix: { length: length - suffix.length, text: suffix } } : null
}

/** A key as it is printed in parts, for registries that keep it so; null when the scheme prints it in one. */
function printed(key: string, { groups }: ParcelScheme): string | null {
  if (groups === undefined || groups.length < 2 || key.length !== groups.reduce((sum, group) => sum + group, 0))
    return null
  let at = 0
  return groups
    .map(length => {
      at += length
      return key.slice(at - length, at)
    })
    .join('-')
}

/** A number in one, in capitals: every form of it is itself where no scheme is known. */
const IN_ONE = /^[0-9A-Z]{1,200}$/

/** In capitals, with a dash for each run of separators. */
const dashedKey = (written: string): string =>
  foldShort(written, MAX_PARCEL)
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** What else the same parcel is called in a registry. */
export interface ParcelEquivalences {
  /** Whether the number without its default suffix is the same parcel. */
  readonly withoutSuffix?: boolean
  /** Number → the other number, both as the registry has them. */
  readonly pairs?: Readonly<Record<string, string>>
}

/**
 * The keys to look a parcel up by, the surest first: as written, in canonical form, as printed in parts, then by what is
 * declared to be the same. Without a scheme: as written, and with dashes for whatever separates its parts; never without
 * separators, for then `2-21` and `22-1` would be one parcel. None comes twice.
 */
export function parcelKeys(
  written: string,
  value: string,
  scheme: ParcelScheme | null,
  { withoutSuffix = false, pairs = {} }: ParcelEquivalences = {}
): readonly string[] {
  if (scheme === null && written === value && IN_ONE.test(value) && !Object.hasOwn(pairs, value)) return [value]
  const keys = [value, written]
  if (scheme === null) keys.push(dashedKey(written))
  else {
    const dashed = printed(value, scheme)
    if (dashed !== null) keys.push(dashed)
    const { suffix } = scheme
    if (withoutSuffix && suffix && value.endsWith(suffix.text)) keys.push(value.slice(0, -suffix.text.length))
  }
  const others = keys.flatMap(key => (Object.hasOwn(pairs, key) ? [pairs[key] ?? ''] : []))
  return [...new Set([...keys, ...others])].filter(key => key !== '')
}
