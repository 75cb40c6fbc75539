import type { RawRow, RawValue } from '../model/rows.ts'

/** The names of a row in canonical order, as members are written. */
interface MemberOrder {
  readonly names: readonly string[]
  readonly order: readonly number[]
  /** Each name as JSON with its colon, and the comma before all but the first. */
  readonly openings: readonly string[]
}

/** RFC 8785 §3.2.3: by the UTF-16 units of the names. */
function orderOf(names: readonly string[]): MemberOrder {
  const order = names.map((_, index) => index).toSorted((left, right) => (names[left]! < names[right]! ? -1 : 1))
  return { names, order, openings: order.map((index, i) => `${i === 0 ? '' : ','}${JSON.stringify(names[index])}:`) }
}

let last = orderOf([])

/** Rows of a delimited file share one array of names, so the last order is nearly always the next one too. */
function sharedOrderOf(names: readonly string[]): MemberOrder {
  if (last.names !== names) last = orderOf(names)
  return last
}

/**
 * The content of a record as text, for its idempotency key: RFC 8785 form of its members by name, except that numbers
 * keep their source text, so that nothing passes through a float. A faulty row's content is its source, as a JSON
 * string, which no readable record can equal.
 */
export function contentKeyText(row: RawRow): string {
  if (row.fault !== undefined) return JSON.stringify(row.source ?? '')
  const { order, openings } = sharedOrderOf(row.names)
  let text = '{'
  for (let i = 0; i < order.length; i++) text += openings[i]! + valueText(row.values[order[i]!]!)
  return `${text}}`
}

/** Characters that JSON text escapes: quotes, controls, halves of pairs that stand alone. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u

function valueText(value: RawValue): string {
  if (value === null) return 'null'
  if (typeof value !== 'string') return value.json
  return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`
}
