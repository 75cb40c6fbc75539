/** One token of the list: a text in quotes with quotes doubled, or a number. */
const VALUE = /'((?:[^']|'')*)'|(\d+)/y

/**
 * The keys of `COLUMN in (…)` as a database reads it: undefined when there is anything else in it, as when a key was not
 * quoted and became part of the question.
 */
export function readWhere(where: string, column: string): readonly string[] | undefined {
  const head = `${column} in (`
  if (!where.startsWith(head)) return undefined
  const keys: string[] = []
  let at = head.length
  for (;;) {
    VALUE.lastIndex = at
    const found = VALUE.exec(where)
    if (!found) return undefined
    keys.push(found[1]?.replaceAll("''", "'") ?? found[2] ?? '')
    at = VALUE.lastIndex
    const next = where.charAt(at)
    at += 1
    if (next === ')') return at === where.length ? keys : undefined
    if (next !== ',') return undefined
  }
}
