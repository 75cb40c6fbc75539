import type { Answers, AnswersByKind, Ask, LookUps } from '../../registries/look-ups.ts'
import type { LookUp, RegistryKind } from '../../registries/registry.ts'

/** What a value of a record was looked up by, and what that gave. */
export interface Resolved {
  readonly key: string
  readonly answer: LookUp
}

/** Value of the record → what was found for it. */
export type ResolvedByValue = ReadonlyMap<string, Resolved>

/** Value of the record → the keys to look it up by, the surest first. */
export type KeysByValue = ReadonlyMap<string, readonly string[]>

/** The first answer that is more than that there is none; one that is unavailable hides what comes after it. */
function answerTo(keys: readonly string[], answers: Answers): Resolved | undefined {
  let none: Resolved | undefined
  for (const key of keys) {
    const answer = answers.get(key)
    if (answer === undefined) continue
    if (answer.kind !== 'no_match') return { key, answer }
    none ??= { key, answer }
  }
  return none
}

/** The other keys of values whose first key has no match; nearly always none. */
function otherKeys(wanted: KeysByValue, answers: Answers | undefined): readonly string[] {
  const others = new Set<string>()
  for (const keys of wanted.values()) {
    if (keys.length <= 1 || answers?.get(keys[0] ?? '')?.kind !== 'no_match') continue
    for (const key of keys.slice(1)) others.add(key)
  }
  return [...others]
}

/** The first key of every value, none twice. */
function firstKeysOf(wanted: KeysByValue): readonly string[] {
  const first = new Set<string>()
  for (const keys of wanted.values()) first.add(keys[0] ?? '')
  return [...first]
}

export type Wanted = Partial<Readonly<Record<RegistryKind, KeysByValue>>>

/**
 * Looks values up by their first keys, and those without a match by their others: most registries keep one form, and asking
 * for all forms at once would make twice as many calls. Kinds that are not configured are left out.
 */
export async function resolve(
  lookUps: Pick<LookUps, 'ask' | 'deadline'>,
  wanted: Wanted,
  ask: Omit<Ask, 'keys' | 'until'>
): Promise<ReadonlyMap<RegistryKind, ResolvedByValue>> {
  const until = lookUps.deadline()
  const kinds = Object.entries(wanted) as [RegistryKind, KeysByValue][]
  const firstKeys = kinds.map(([kind, values]) => [kind, firstKeysOf(values)])
  const first = await lookUps.ask({ ...ask, until, keys: Object.fromEntries(firstKeys) as Ask['keys'] })
  const others = kinds.flatMap(([kind, values]) => {
    const keys = otherKeys(values, first.get(kind))
    return keys.length > 0 ? [[kind, keys] as const] : []
  })
  const second: AnswersByKind =
    others.length > 0 ? await lookUps.ask({ ...ask, until, keys: Object.fromEntries(others) }) : new Map()
  const resolved = new Map<RegistryKind, ResolvedByValue>()
  for (const [kind, values] of kinds) {
    const answers = first.get(kind)
    if (!answers) continue
    const all = second.has(kind) ? new Map([...answers, ...(second.get(kind) ?? [])]) : answers
    const found = new Map<string, Resolved>()
    for (const [value, keys] of values) {
      const answer = answerTo(keys, all)
      if (answer) found.set(value, answer)
    }
    resolved.set(kind, found)
  }
  return resolved
}
