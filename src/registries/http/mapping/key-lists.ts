import type { KeyRule } from './rules.ts'

/** A text of SQL-92 or SoQL: quotes are doubled, and nothing else in it has a meaning. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The keys as a list of SQL values. Every key must have passed `isAskable`: numbers are bare, texts are quoted. */
export function valuesOf(keys: readonly string[], { as }: KeyRule): string {
  return keys.map(key => (as === 'integer' ? String(Number(key)) : quoted(key))).join(',')
}

/** `COLUMN in (…)`, with the operator's own condition beside it, in which `{asOf}` is the day asked about. */
export function whereOf(
  keys: readonly string[],
  { key, where }: { readonly key: KeyRule; readonly where?: string | undefined },
  asOf: string
): string {
  const list = `${key.from} in (${valuesOf(keys, key)})`
  return where === undefined ? list : `${list} and (${where.replaceAll('{asOf}', asOf)})`
}

/**
 * Keys in sets whose lists take at most `bytes` in a request that encodes them as a form does; a set holds at least one key.
 */
export function splitBySize(keys: readonly string[], rule: KeyRule, bytes: number): readonly (readonly string[])[] {
  const sets: string[][] = []
  let left = 0
  for (const key of keys) {
    const cost = new URLSearchParams({ '': `,${valuesOf([key], rule)}` }).toString().length
    const last = sets.at(-1)
    if (last && cost <= left) last.push(key)
    else {
      sets.push([key])
      left = bytes
    }
    left -= cost
  }
  return sets
}
