import type { Json } from '../../model/json.ts'
import { naturalKeyPart } from '../../normalize/text.ts'
import type { Profile } from '../profile.ts'

/** U+001F, the unit separator, stands in no folded part. */
const SEPARATOR = '\u001f'

interface KeyPart {
  /** The first of these fields that is there is the part. */
  readonly names: readonly string[]
  readonly isNeeded: boolean
}

const partsOf = new WeakMap<Profile, readonly KeyPart[]>()

function keyParts(profile: Profile): readonly KeyPart[] {
  let parts = partsOf.get(profile)
  if (parts === undefined) {
    parts = profile.naturalKey.map(entry => {
      const names = typeof entry === 'string' ? [entry] : entry
      return { names, isNeeded: names.length > 1 || names.some(name => profile.fields[name]?.required) }
    })
    partsOf.set(profile, parts)
  }
  return parts
}

function partOf(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  const part = naturalKeyPart(typeof value === 'string' ? value : JSON.stringify(value))
  return part.includes(SEPARATOR) ? part.replaceAll(SEPARATOR, ' ') : part
}

function firstOf(names: readonly string[], values: Readonly<Record<string, Json>>): string {
  for (const name of names) {
    const part = partOf(values[name])
    if (part !== '') return part
  }
  return ''
}

/**
 * The natural key of a record's values: its parts after NFKC, case and space folding, joined with U+001F. A part that
 * may be absent counts as empty; null when a required part, or all of a group of which one is required, is absent.
 */
export function naturalKeyOf(profile: Profile, values: Readonly<Record<string, Json>>): string | null {
  const parts: string[] = []
  for (const { names, isNeeded } of keyParts(profile)) {
    const part = firstOf(names, values)
    if (part === '' && isNeeded) return null
    parts.push(part)
  }
  return parts.some(part => part !== '') ? parts.join(SEPARATOR) : null
}
