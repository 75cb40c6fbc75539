import type { Json } from '../json.ts'

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Items that have a `name` or an `id` are told by it: a line put in first changes no other. */
function namesOf(items: readonly Json[]): string[] | null {
  const names = items.map(item => (isObject(item) ? (item['name'] ?? item['id']) : null))
  const texts = names.filter((name): name is string => typeof name === 'string')
  return texts.length === items.length && new Set(texts).size === texts.length ? texts : null
}

function membersOf(value: Json): ReadonlyMap<string, Json> | null {
  if (isObject(value)) return new Map(Object.entries(value).map(([name, member]) => [`.${name}`, member]))
  if (!Array.isArray(value)) return null
  const names = namesOf(value)
  return new Map(value.map((item, at): [string, Json] => [`[${names?.[at] ?? at}]`, item]))
}

const MAX_SHOWN = 80

function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

function collect(path: string, before: Json | undefined, after: Json | undefined, changes: string[]): void {
  const [from, to] = [membersOf(before ?? null), membersOf(after ?? null)]
  const isSameKind = Array.isArray(before) === Array.isArray(after)
  if (!from || !to || !isSameKind) {
    if (shown(before) !== shown(after) || JSON.stringify(before) !== JSON.stringify(after)) {
      changes.push(`${path || 'the whole'}: ${shown(before)} → ${shown(after)}`)
    }
    return
  }
  for (const name of new Set([...from.keys(), ...to.keys()])) {
    collect(path === '' ? name.replace(/^\./, '') : path + name, from.get(name), to.get(name), changes)
  }
}

/** How one JSON value differs from another, a line for each place: `lines[permit_fee].amount: "1" → "2"`. */
export function jsonChanges(before: Json, after: Json): string[] {
  const changes: string[] = []
  collect('', before, after, changes)
  return changes
}
