import { createHash } from 'node:crypto'
import type { KeptAnswers } from '../../db/registries/answers.ts'
import type { Json } from '../../model/json.ts'
import { ALL_SCHEDULES, type RegistryKind } from '../../registries/registry.ts'
import type { Resolved, ResolvedByValue } from './resolve.ts'

/** An answer as it is kept; its key only where that is not the value itself. */
function entryOf(value: string, { key, answer }: Resolved): { readonly [name: string]: Json } {
  const asked = key === value ? {} : { key }
  if (answer.kind === 'unavailable') return { ...asked, kind: answer.kind, code: answer.code }
  const { registry, asOf, fetchedAt, fromCache } = answer.provenance
  const source = { registry, as_of: asOf, fetched_at: fetchedAt, from_cache: fromCache }
  if (answer.kind === 'no_match') return { ...asked, kind: answer.kind, ...source }
  if (answer.kind === 'several') {
    return { ...asked, kind: answer.kind, candidates: answer.candidates, more: answer.more, ...source }
  }
  return { ...asked, kind: answer.kind, value: answer.value, ...source }
}

/** Fee schedules of our own are kept by version for ever: naming them is enough. */
function scheduleEntry(found: Resolved): { readonly [name: string]: Json } {
  const { answer } = found
  const entry = entryOf(ALL_SCHEDULES, found)
  const schedules = answer.kind === 'match' ? answer.value['schedules'] : undefined
  if (!Array.isArray(schedules)) return entry
  const named = schedules.map((one: { readonly [name: string]: Json }) => ({ id: one['id'], version: one['version'] }))
  const isVersioned = named.every(({ id, version }) => typeof id === 'string' && typeof version === 'number')
  return isVersioned ? { ...entry, value: { schedules: named as Json } } : entry
}

/**
 * What a chunk's records were judged by, as text and its digest: by kind and by the value that was looked up. Null when no
 * registry was asked.
 */
export function keptAnswers(byKind: ReadonlyMap<RegistryKind, ResolvedByValue>): KeptAnswers | null {
  if (byKind.size === 0) return null
  const kept: Record<string, Record<string, Json>> = {}
  for (const [kind, resolved] of byKind) {
    const entries: Record<string, Json> = Object.create(null) as Record<string, Json>
    for (const [value, found] of resolved) {
      entries[value] = kind === 'feeSchedule' ? scheduleEntry(found) : entryOf(value, found)
    }
    kept[kind] = entries
  }
  const text = JSON.stringify(kept)
  return { text, digest: createHash('sha256').update(text).digest('hex') }
}
