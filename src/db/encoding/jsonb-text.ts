import type { Json } from '../../model/json.ts'

/** By length in bytes, then by bytes: the order in which `jsonb` keeps the members of an object. */
function byStoredOrder(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length - right.length || Buffer.compare(left, right)
}

/** A member's name as it stands before its value, with its colon. */
interface Member {
  readonly name: string
  readonly text: string
}

/** The names of an object as it has them, and its members as `jsonb` keeps them. */
interface Shape {
  readonly names: readonly string[]
  readonly members: readonly Member[]
}

/** The shapes met last: the contents of a file have one or few, and to sort twenty names costs more than all the rest. */
const shapes: Shape[] = []
const MAX_SHAPES = 32
let replaced = 0

function isShapeOf(shape: Shape, names: readonly string[]): boolean {
  const known = shape.names
  if (known.length !== names.length) return false
  for (let i = 0; i < names.length; i++) if (known[i] !== names[i]) return false
  return true
}

function membersOf(names: readonly string[]): readonly Member[] {
  for (const shape of shapes) if (isShapeOf(shape, names)) return shape.members
  const members = names.toSorted(byStoredOrder).map(name => ({ name, text: `${JSON.stringify(name)}: ` }))
  shapes[replaced] = { names, members }
  replaced = (replaced + 1) % MAX_SHAPES
  return members
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
  const object = value as { readonly [name: string]: Json }
  let text = '{'
  for (const member of membersOf(Object.keys(object))) {
    const inner = object[member.name]
    if (inner === undefined) continue
    text += `${text.length === 1 ? '' : ', '}${member.text}${jsonbText(inner)}`
  }
  return `${text}}`
}
