import type { Json } from '../../model/json.ts'
import type { RawRow, RawValue } from '../../model/rows.ts'
import { foldColumnName } from '../fold-column-name.ts'
import type { Profile } from '../profile.ts'
import { parseSourceJson, plainJson, type SourceJson, SourceNumber } from '../reading/source-json.ts'
import { type ColumnUse, columnIndex, isKnownPath } from './column-index.ts'
import type { SourceOptions } from './source-options.ts'

/** A row whose nested members stand beside its own, and the nested members as they were sent. */
export interface ExpandedRow {
  readonly names: readonly string[]
  readonly values: readonly RawValue[]
  /** How many names are the row's own; the others come from nested members. */
  readonly width: number
  readonly nested: readonly (readonly [string, Json])[]
}

/** How far into nested members fields are looked for, and how many entries of a list are. */
const MAX_DEPTH = 3
const MAX_ENTRIES = 20

const isNested = (value: RawValue): value is { readonly json: string } =>
  typeof value === 'object' && value !== null && (value.json.startsWith('{') || value.json.startsWith('['))

function rawValueOf(value: SourceJson): RawValue {
  if (value instanceof SourceNumber) return { json: value.text }
  if (typeof value === 'boolean') return { json: String(value) }
  return typeof value === 'string' ? value : null
}

/** Accela marks the main entry of addresses, parcels and contacts; the others name other things. */
function isSecondary(entry: SourceJson): boolean {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry) || entry instanceof SourceNumber) return false
  const isPrimary = entry['isPrimary']
  return isPrimary === false || isPrimary === 'N'
}

interface Found {
  readonly names: string[]
  readonly values: RawValue[]
}

/** Collects the scalars below a member that the profile knows by their dotted name. */
function collect(
  prefix: string,
  value: SourceJson,
  depth: number,
  keep: (name: string, value: RawValue) => void
): void {
  if (typeof value !== 'object' || value === null || value instanceof SourceNumber) {
    keep(prefix, rawValueOf(value))
    return
  }
  if (depth >= MAX_DEPTH) return
  if (Array.isArray(value)) {
    const entries = value.length > 1 ? value.filter(entry => !isSecondary(entry)) : value
    for (const entry of entries.slice(0, MAX_ENTRIES)) collect(prefix, entry, depth + 1, keep)
    return
  }
  for (const [name, member] of Object.entries(value)) collect(`${prefix}.${name}`, member, depth + 1, keep)
}

const NO_NAMES: ReadonlySet<string> = new Set()

/** The columns that a source names itself, folded. */
export const namedColumns = (source: SourceOptions | undefined): ReadonlySet<string> =>
  new Set(Object.keys(source?.columns ?? {}).map(foldColumnName))

/** What GeoJSON calls every feature says nothing about the record in it. */
const FEATURE = 'Feature'

const isList = (use: ColumnUse | undefined): boolean => use?.own?.field.type === 'list'

/**
 * Brings members of nested objects and lists to the row's own level, named by their path, where the profile knows the
 * path (`status.text`, `parcels.parcelNumber`) or its source named it. List fields and unknown members stay as they are.
 */
export function expandRow(profile: Profile, row: RawRow, named: ReadonlySet<string> = NO_NAMES): ExpandedRow {
  if (!row.values.some(isNested)) return { names: row.names, values: row.values, width: row.names.length, nested: [] }
  const index = columnIndex(profile)
  const found: Found = { names: [], values: [] }
  const nested: (readonly [string, Json])[] = []
  const values = row.values.map((value, at) => {
    const name = row.names[at] ?? ''
    if (value === FEATURE && foldColumnName(name) === 'type') {
      nested.push([name, value])
      return null
    }
    if (!isNested(value) || isList(index.get(foldColumnName(name)))) return value
    const source = parseSourceJson(value.json)
    const before = found.names.length
    collect(name, source, 0, (path, scalar) => {
      const folded = foldColumnName(path)
      if (path === name || scalar === null || !(named.has(folded) || isKnownPath(profile, path))) return
      found.names.push(path)
      found.values.push(scalar)
    })
    if (found.names.length === before) return value
    nested.push([name, plainJson(source)])
    return null
  })
  return {
    names: [...row.names, ...found.names],
    values: [...values, ...found.values],
    width: row.names.length,
    nested
  }
}
