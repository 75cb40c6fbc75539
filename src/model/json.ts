/** Any JSON value. Money never appears as `number`: it is a decimal string. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** RFC 8785 text of plain data whose numbers are integers: members sorted by UTF-16 code units. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value as { readonly [name: string]: Json }).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(',')}}`
}
