import type { Json } from '../../model/json.ts'

/** By length in bytes, then by bytes: the order in which `jsonb` keeps the members of an object. */
function byStoredOrder(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length - right.length || Buffer.compare(left, right)
}

/** Names made of these have a byte for each UTF-16 unit: they are compared without their bytes. */
const PLAIN_NAME = /^[\w -]*$/

/** A member's name as it stands before its value. Few names come again and again. */
const quoted = new Map<string, { readonly text: string; readonly isPlain: boolean }>()
const MAX_KEPT_NAMES = 2000

function nameOf(name: string): { readonly text: string; readonly isPlain: boolean } {
  const known = quoted.get(name)
  if (known) return known
  const made = { text: `${JSON.stringify(name)}: `, isPlain: PLAIN_NAME.test(name) }
  if (quoted.size < MAX_KEPT_NAMES) quoted.set(name, made)
  return made
}

/** Whether the names stand in stored order already, as far as that can be seen without their bytes. */
function isOrdered(names: readonly string[]): boolean {
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    if (!nameOf(name).isPlain) return false
    const before = i === 0 ? '' : (names[i - 1] as string)
    if (before.length > name.length || (before.length === name.length && before > name)) return false
  }
  return true
}

const EXPONENT = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/

/** The digits of a number without an exponent, as `numeric` writes them. */
function numberText(value: number): string {
  const text = JSON.stringify(value)
  const match = EXPONENT.exec(text)
  if (!match) return text
  const [, sign = '', first = '', rest = '', power = '0'] = match
  const exponent = Number(power)
  const digits = first + rest
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  return sign + digits.padEnd(exponent + 1, '0')
}

/**
 * The text that Postgres writes for this value as `jsonb`: members by length and bytes of their names, a space after each
 * colon and comma, numbers without exponents. What it refuses to store (NUL, half a surrogate pair) stays an escape, which
 * it refuses then.
 */
export function jsonbText(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return numberText(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`
  const members = value as { readonly [name: string]: Json }
  const own = Object.keys(members)
  const names = isOrdered(own) ? own : own.toSorted(byStoredOrder)
  let text = '{'
  for (const name of names) {
    const inner = members[name]
    if (inner === undefined) continue
    text += `${text.length === 1 ? '' : ', '}${nameOf(name).text}${jsonbText(inner)}`
  }
  return `${text}}`
}
