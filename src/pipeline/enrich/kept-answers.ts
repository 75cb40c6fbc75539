import { createHash } from 'node:crypto'
import type { KeptAnswers } from '../../db/registries/answers.ts'
import type { Json } from '../../model/json.ts'
import { ALL_SCHEDULES, type RegistryKind } from '../../registries/registry.ts'
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

/**
 * What a chunk's records were judged by, as text and its digest: by kind and by the value that was looked up, with where the
 * answers of a kind are from told once, under `sources`. Null when no registry was asked.
 */
export function keptAnswers(byKind: ReadonlyMap<RegistryKind, ResolvedByValue>): KeptAnswers | null {
  if (byKind.size === 0) return null
  const kept: Record<string, Record<string, Json>> = {}
  const sources: Record<string, SourceTold> = {}
  for (const [kind, resolved] of byKind) {
    const common = commonSource(resolved)
    if (common !== null) sources[kind] = common
    const entries: Record<string, Json> = Object.create(null) as Record<string, Json>
    for (const [value, found] of resolved) {
      entries[value] = kind === 'feeSchedule' ? scheduleEntry(found, common ?? {}) : entryOf(value, found, common ?? {})
    }
    kept[kind] = entries
  }
  const text = JSON.stringify({ ...kept, sources })
  return { text, digest: createHash('sha256').update(text).digest('hex') }
}
