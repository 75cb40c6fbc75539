import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { KeptAnswers } from '../../db/registries/answers.ts'
import type { Json } from '../../model/json.ts'
import { ALL_SCHEDULES, type RegistryKind, type RegistryRecord } from '../../registries/registry.ts'
import type { Resolved, ResolvedByValue } from './resolve.ts'

/** Where an answer is from. */
type SourceTold = { readonly [name: string]: Json }

function sourceOf({ answer }: Resolved): SourceTold | null {
  if (answer.kind === 'unavailable') return null
  const { registry, asOf, fetchedAt, fromCache } = answer.provenance
  return { registry, as_of: asOf, fetched_at: fetchedAt, from_cache: fromCache }
}

const NOTHING_OWN: SourceTold = Object.freeze({})

/** What of a source is not that which the answers of its kind have in common; nearly always nothing. */
function ownOf(source: SourceTold, common: SourceTold): SourceTold {
  let own: Record<string, Json> | null = null
  for (const name in source) {
    const value = source[name]
    if (value === undefined || value === common[name]) continue
    own ??= {}
    own[name] = value
  }
  return own ?? NOTHING_OWN
}

/** An answer as it is kept: its key only where that is not the value itself, of its source what is its own. */
function entryOf(value: string, found: Resolved, common: SourceTold): { readonly [name: string]: Json } {
  const { key, answer } = found
  const asked = key === value ? {} : { key }
  if (answer.kind === 'unavailable') return { ...asked, kind: answer.kind, code: answer.code }
  const source = ownOf(sourceOf(found) ?? {}, common)
  if (answer.kind === 'no_match') return { ...asked, kind: answer.kind, ...source }
  if (answer.kind === 'several') {
    return { ...asked, kind: answer.kind, candidates: answer.candidates, more: answer.more, ...source }
  }
  return { ...asked, kind: answer.kind, value: answer.value, ...source }
}

/** How the matches of a kind are told that are alike but for a few values: those as lists, and the rest once. */
interface Alike {
  /** The member that is the value itself. */
  readonly key: string | null
  /** What has no value, or is one of two, and is the same of all. */
  readonly same: { readonly [name: string]: Json }
  /** The other members, as they stand in a list behind the value. */
  readonly names: readonly string[]
}

/** As the first match is made; what is made otherwise is told in full. Null where there is none. */
function alikeOf(resolved: ResolvedByValue): Alike | null {
  for (const [value, { key, answer }] of resolved) {
    if (answer.kind !== 'match' || key !== value) continue
    const members = Object.entries(answer.value)
    const [keyed = null] = members.find(([, member]) => member === value) ?? []
    const isSame = (member: Json): boolean => member === null || typeof member === 'boolean'
    const others = members.filter(([name]) => name !== keyed)
    return {
      key: keyed,
      same: Object.fromEntries(others.filter(([, member]) => isSame(member))),
      names: others.flatMap(([name, member]) => (isSame(member) ? [] : [name]))
    }
  }
  return null
}

function countOf(members: RegistryRecord): number {
  let count = 0
  for (const name in members) if (members[name] !== undefined) count += 1
  return count
}

/** A match as a list of the value and what is its own; null where that would not tell all of it. */
function listOf(value: string, { key, answer }: Resolved, alike: Alike): Json[] | null {
  if (answer.kind !== 'match' || key !== value) return null
  const { value: members } = answer
  if (alike.key !== null && members[alike.key] !== value) return null
  let count = alike.key === null ? 0 : 1
  for (const name in alike.same) {
    if (members[name] !== alike.same[name]) return null
    count += 1
  }
  const list: Json[] = [value]
  for (const name of alike.names) {
    const member = members[name]
    if (member === undefined) return null
    list.push(member)
  }
  return countOf(members) === count + alike.names.length ? list : null
}

/** Fee schedules of our own are kept by version for ever: naming them is enough. */
function scheduleEntry(found: Resolved, common: SourceTold): { readonly [name: string]: Json } {
  const { answer } = found
  const entry = entryOf(ALL_SCHEDULES, found, common)
  const schedules = answer.kind === 'match' ? answer.value['schedules'] : undefined
  if (!Array.isArray(schedules)) return entry
  const named = schedules.map((one: { readonly [name: string]: Json }) => ({ id: one['id'], version: one['version'] }))
  const isVersioned = named.every(({ id, version }) => typeof id === 'string' && typeof version === 'number')
  return isVersioned ? { ...entry, value: { schedules: named as Json } } : entry
}

/** Where the first answer is from; nearly always that holds for all of a chunk. */
function commonSource(resolved: ResolvedByValue): SourceTold | null {
  for (const found of resolved.values()) {
    const source = sourceOf(found)
    if (source !== null) return source
  }
  return null
}

/** Whether an answer is from where the others of its kind are, told without writing it down. */
function isFrom({ answer }: Resolved, common: SourceTold): boolean {
  if (answer.kind === 'unavailable') return false
  const { registry, asOf, fetchedAt, fromCache } = answer.provenance
  return (
    registry === common['registry'] &&
    asOf === common['as_of'] &&
    fetchedAt === common['fetched_at'] &&
    fromCache === common['from_cache']
  )
}

interface Told {
  readonly sources: Record<string, SourceTold>
  readonly alike: Record<string, Alike & { readonly lists: readonly (readonly Json[])[] }>
}

/** The answers of a kind as JSON text by value; says beside where they are from, and those that are alike. */
function textOfKind(kind: RegistryKind, resolved: ResolvedByValue, { sources, alike }: Told): string {
  const common = commonSource(resolved)
  if (common !== null) sources[kind] = common
  const told = kind === 'feeSchedule' || common === null ? null : alikeOf(resolved)
  const lists: Json[][] = []
  const parts: string[] = []
  for (const [value, found] of resolved) {
    const list = told !== null && common !== null && isFrom(found, common) ? listOf(value, found, told) : null
    if (list !== null) lists.push(list)
    else {
      const entry = kind === 'feeSchedule' ? scheduleEntry(found, common ?? {}) : entryOf(value, found, common ?? {})
      parts.push(`${JSON.stringify(value)}:${JSON.stringify(entry)}`)
    }
  }
  if (told !== null && lists.length > 0) alike[kind] = { ...told, lists }
  return `{${parts.join()}}`
}

/**
 * What a chunk's records were judged by, as text and its digest: by kind and by the value that was looked up. Where the
 * answers of a kind are from is told once, under `sources`; of matches that are alike but for a few values only those are
 * told, as lists that stand with their names under `alike`. `answerIn` reads it. Null when no registry was asked.
 */
export function keptAnswers(byKind: ReadonlyMap<RegistryKind, ResolvedByValue>): KeptAnswers | null {
  if (byKind.size === 0) return null
  const told: Told = { sources: {}, alike: {} }
  const kinds = [...byKind].map(([kind, resolved]) => `"${kind}":${textOfKind(kind, resolved, told)},`)
  const text = `{${kinds.join('')}"alike":${JSON.stringify(told.alike)},"sources":${JSON.stringify(told.sources)}}`
  return { text, digest: createHash('sha256').update(text).digest('hex') }
}

const Members = z.record(z.string(), z.json())
const List = z.array(z.json())
// Lists stood by their values at first, in the place of entries and without the value.
const Entry = z.union([List, Members])
const AlikeTold = z.object({
  key: z.string().nullable(),
  same: Members,
  names: z.array(z.string()),
  lists: z.array(List).default([])
})
const Kept = z.looseObject({
  sources: z.record(z.string(), Members).optional(),
  alike: z.record(z.string(), AlikeTold).optional()
})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** An answer among those of a chunk, as it was given and with where it is from; undefined when there is none of this value. */
export function answerIn(
  text: string,
  kind: RegistryKind,
  value: string
): { readonly [name: string]: Json } | undefined {
  const kept = Kept.parse(JSON.parse(text))
  const entries = kept[kind]
  const source = kept.sources?.[kind]
  const { key = null, same = {}, names = [], lists = [] } = kept.alike?.[kind] ?? {}
  const listed = lists.find(([of]) => of === value)?.slice(1)
  const isKept = isObject(entries) && Object.hasOwn(entries, value)
  if (listed === undefined && !isKept) return undefined
  const entry = listed ?? Entry.parse(isKept ? entries[value] : undefined)
  if (!Array.isArray(entry)) return entry['kind'] === 'unavailable' ? entry : { ...source, ...entry }
  const own = Object.fromEntries(names.map((name, i) => [name, entry[i] ?? null]))
  return { ...source, kind: 'match', value: { ...(key === null ? {} : { [key]: value }), ...own, ...same } }
}
