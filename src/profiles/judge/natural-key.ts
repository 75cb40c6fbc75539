import type { Json } from '../../model/json.ts'
import { naturalKeyPart } from '../../normalize/text.ts'
import type { Profile } from '../profile.ts'

/** U+001F, the unit separator, stands in no folded part. */
const SEPARATOR = '\u001f'

function partOf(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  return naturalKeyPart(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(SEPARATOR, ' ')
}

/**
 * The natural key of a record's values: its parts after NFKC, case and space folding, joined with U+001F. A part that
 * may be absent counts as empty; null when a required part, or all of a group of which one is required, is absent.
 */
export function naturalKeyOf(profile: Profile, values: Readonly<Record<string, Json>>): string | null {
  const parts: string[] = []
  for (const entry of profile.naturalKey) {
    const names = typeof entry === 'string' ? [entry] : entry
    const part = names.map(name => partOf(values[name])).find(text => text !== '') ?? ''
    const isNeeded = names.length > 1 || names.some(name => profile.fields[name]?.required)
    if (part === '' && isNeeded) return null
    parts.push(part)
  }
  return parts.some(part => part !== '') ? parts.join(SEPARATOR) : null
}
