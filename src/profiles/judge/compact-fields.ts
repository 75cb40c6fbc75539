import { isDeepStrictEqual } from 'node:util'
import type { Envelope, Fields, Origin } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import type { Profile } from '../profile.ts'
import { jurisdictionFromBatch } from '../reading/jurisdiction-from-batch.ts'

/** What all records of a file share, and where one of them stands. */
export interface RecordPlace {
  readonly jurisdiction: string
  readonly row: number
  readonly line: number
  /** The column a field is read from in this file, as its header is written. */
  readonly columnOf: (field: string) => string | undefined
}

/** An envelope as stored: only the members that differ from what its place and value say. Never holds the value. */
export type StoredEnvelope = { readonly [member: string]: Json }

const MEMBERS = ['raw', 'status', 'confidence', 'origin', 'flags', 'readings'] as const

const NO_FLAGS: readonly string[] = Object.freeze([])

const textOf = (value: Json): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value)

type Sources = ReadonlyMap<string, string>
const sourcesOf = new WeakMap<Profile, Sources>()

/** Companion field → the field it is mapped from. */
function companionSources(profile: Profile): Sources {
  let sources = sourcesOf.get(profile)
  if (sources === undefined) {
    const pairs = Object.values(profile.fields).flatMap(({ name, mapped }): [string, string][] =>
      mapped === undefined ? [] : [[mapped.field, name]]
    )
    sources = new Map(pairs)
    sourcesOf.set(profile, sources)
  }
  return sources
}

/** The value of another field of the record. */
type ValueOf = (field: string) => Json | undefined

interface FileOfRecord {
  readonly profile: Profile
  readonly place: RecordPlace
  readonly valueOf: ValueOf
}

/** The envelope of a value that the registry which usually fills its field gave for the record's own key; else null. */
function registryEnvelope(profile: Profile, name: string, value: Json, valueOf: ValueOf): Envelope | null {
  const registry = profile.fields[name]?.registry
  const key = registry && valueOf(registry.keyField)
  if (value === null || typeof key !== 'string') return null
  const origin = { registry: registry?.name ?? '', key }
  return { value, raw: null, status: 'found', confidence: 1, origin, flags: NO_FLAGS }
}

/**
 * The envelope a value most likely has: read as written from its own column, mapped from its source, from the batch, or
 * from a registry.
 */
function usualEnvelope(file: FileOfRecord, name: string, value: Json, fields: Fields): Envelope {
  const { profile, place, valueOf } = file
  const registered = registryEnvelope(profile, name, value, valueOf)
  if (registered !== null) return registered
  const column = place.columnOf(name)
  const sourceName = companionSources(profile).get(name)
  const source = sourceName === undefined ? undefined : fields[sourceName]
  if (column === undefined && source !== undefined) {
    const { raw, origin, confidence } = source
    if (value === null) return { value, raw, status: 'invalid', confidence: 0, origin, flags: ['UNMAPPED_ENUM'] }
    return { value, raw, status: 'derived', confidence, origin, flags: NO_FLAGS }
  }
  if (column === undefined && name === profile.jurisdictionField && value === place.jurisdiction) {
    return jurisdictionFromBatch(place.jurisdiction)
  }
  const origin: Origin = { row: place.row, line: place.line, ...(column === undefined ? {} : { column }) }
  if (value === null) return { value, raw: null, status: 'absent', confidence: 0, origin, flags: NO_FLAGS }
  return { value, raw: textOf(value), status: 'found', confidence: 1, origin, flags: NO_FLAGS }
}

/** Read as written from its own column, as nearly all envelopes are: told without making the usual one. */
function isAsWritten(envelope: Envelope, { row, line }: RecordPlace, column: string | undefined): boolean {
  const { value, raw, status, confidence, origin, flags, readings } = envelope
  return (
    value !== null &&
    value === raw &&
    status === 'found' &&
    confidence === 1 &&
    flags.length === 0 &&
    readings === undefined &&
    column !== undefined &&
    origin !== null &&
    'row' in origin &&
    origin.row === row &&
    origin.column === column &&
    origin.line === line
  )
}

/** The usual cases without a deep comparison: records of a file differ in few members. */
function isSameOrigin(a: Origin | null, b: Origin | null): boolean {
  if (a === null || b === null || !('row' in a && 'row' in b)) return isDeepStrictEqual(a, b)
  return a.row === b.row && a.column === b.column && a.line === b.line
}

function isSameMember(member: (typeof MEMBERS)[number], a: Envelope, b: Envelope): boolean {
  if (a[member] === b[member]) return true
  if (member === 'origin') return isSameOrigin(a.origin, b.origin)
  if (member === 'flags' && a.flags.length + b.flags.length === 0) return true
  return isDeepStrictEqual(a[member], b[member])
}

function differences(envelope: Envelope, usual: Envelope): StoredEnvelope | null {
  const stored: Record<string, Json> = {}
  let isDifferent = false
  for (const member of MEMBERS) {
    const value = envelope[member]
    if (value === undefined || isSameMember(member, envelope, usual)) continue
    stored[member] = value
    isDifferent = true
  }
  return isDifferent ? stored : null
}

/** What is stored of the envelope of one field among `fields`; null where it is the usual one of its value and place. */
export function storedEnvelope(
  profile: Profile,
  name: string,
  { fields, place }: { readonly fields: Fields; readonly place: RecordPlace }
): StoredEnvelope | null {
  const envelope = fields[name]
  if (envelope === undefined || isAsWritten(envelope, place, place.columnOf(name))) return null
  const valueOf: ValueOf = field => fields[field]?.value
  const entry = differences(envelope, usualEnvelope({ profile, place, valueOf }, name, envelope.value, fields))
  return entry === null && envelope.value === null ? {} : entry
}

/**
 * Whether a value that a registry gave is told of by its value and the record's own alone: nothing is stored of it then. As
 * comparing with the usual envelope would say, without making one.
 */
export function isUsualFromRegistry(
  profile: Profile,
  name: string,
  { value, raw, status, confidence, origin, flags, readings }: Envelope,
  record: Readonly<Record<string, Json>>
): boolean {
  const registry = profile.fields[name]?.registry
  if (registry === undefined || value === null || origin === null || !('registry' in origin)) return false
  const isAsFound = raw === null && status === 'found' && confidence === 1 && flags.length === 0
  return (
    isAsFound && readings === undefined && origin.registry === registry.name && origin.key === record[registry.keyField]
  )
}

/**
 * The envelopes of a record as stored beside its values: an entry only for a field that has no value or whose envelope
 * is not the usual one of its value and place, holding only what differs. `expandFields` undoes it exactly.
 */
export function compactFields(profile: Profile, fields: Fields, place: RecordPlace): Record<string, StoredEnvelope> {
  const stored: Record<string, StoredEnvelope> = {}
  for (const name in fields) {
    const entry = storedEnvelope(profile, name, { fields, place })
    if (entry !== null) stored[name] = entry
  }
  return stored
}

/** Rebuilds the envelopes of a record from what `compactFields` stored, its values, and its place; the profile's order. */
export function expandFields(
  profile: Profile,
  stored: Readonly<Record<string, StoredEnvelope>>,
  values: Readonly<Record<string, Json>>,
  place: RecordPlace
): Record<string, Envelope> {
  const fields: Record<string, Envelope> = {}
  const valueOf: ValueOf = field => values[field]
  const sources = companionSources(profile)
  const names = Object.keys(profile.fields).filter(name => Object.hasOwn(stored, name) || Object.hasOwn(values, name))
  const ordered = names.toSorted((a, b) => Number(sources.has(a)) - Number(sources.has(b)))
  for (const name of ordered) {
    const usual = usualEnvelope({ profile, place, valueOf }, name, values[name] ?? null, fields)
    fields[name] = { ...usual, ...(stored[name] as Partial<Envelope> | undefined) }
  }
  return fields
}
