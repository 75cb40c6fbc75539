import type { LoadedKind } from '../../db/registries/load-table.ts'
import { UsageError } from '../command.ts'

type ColumnType = 'key' | 'text' | 'boolean' | 'list'

export interface ReferenceColumn {
  readonly name: string
  readonly type: ColumnType
  /** Whether every row must have a value. */
  readonly required: boolean
  /** Names a file may call it by, beside its own. */
  readonly aliases: readonly string[]
}

const column = (name: string, type: ColumnType, required: boolean, ...aliases: string[]): ReferenceColumn => ({
  name,
  type,
  required,
  aliases
})

const PARCEL_ID = column('parcel_id', 'key', true, 'parcel', 'parcel_number', 'parcel_no', 'apn', 'ain', 'pin', 'bbl')
const ZONING = ['zoning', 'zone', 'zone_code', 'zoning_district']
const OWNER = column('owner_name', 'text', false, 'owner')

/** What a file of each kind may hold. Other columns are passed over. */
export const REFERENCE_COLUMNS: Readonly<Record<LoadedKind, readonly ReferenceColumn[]>> = {
  parcel: [
    PARCEL_ID,
    column('zoning_code', 'text', false, ...ZONING),
    column('site_address', 'text', false, 'address', 'situs_address', 'property_address'),
    OWNER,
    column('retired', 'boolean', false, 'is_retired'),
    column('equivalents', 'list', false, 'alternate_ids')
  ],
  zoning: [PARCEL_ID, column('zoning_code', 'text', true, ...ZONING), column('overlays', 'list', false, 'overlay')],
  property: [
    column('property_id', 'key', true, 'property', 'property_number', 'property_code'),
    column('address', 'text', false, 'property_address', 'site_address'),
    OWNER
  ]
}

/** Docket's column → the file's. */
export type ColumnNames = ReadonlyMap<string, string>

/** Reads `--map parcel_id=PIN14`. Throws `UsageError` for a column that the kind has not. */
export function readMapping(kind: LoadedKind, pairs: readonly string[]): ColumnNames {
  const names = REFERENCE_COLUMNS[kind].map(({ name }) => name)
  return new Map(
    pairs.map(pair => {
      const at = pair.indexOf('=')
      const name = pair.slice(0, at)
      if (at < 1 || !names.includes(name)) {
        throw new UsageError(`--map takes COLUMN=NAME IN THE FILE, with one of ${names.join(', ')} as the column.`)
      }
      return [name, pair.slice(at + 1)] as const
    })
  )
}

const fold = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Whether a name in a file means one of the columns. */
export function isKnownName(kind: LoadedKind, mapping: ColumnNames, name: string): boolean {
  if ([...mapping.values()].includes(name)) return true
  return REFERENCE_COLUMNS[kind].some(own => [own.name, ...own.aliases].some(known => fold(known) === fold(name)))
}

/**
 * Finds the columns among the names of a file: those of the mapping, then those called as Docket does, then by alias.
 * Answers the faults instead when a name of the mapping is not there, or two names mean the same column.
 */
export function findColumns(
  kind: LoadedKind,
  mapping: ColumnNames,
  names: readonly string[]
): { readonly columns: ColumnNames; readonly faults: readonly string[] } {
  const columns = new Map<string, string>()
  const faults: string[] = []
  for (const { name, aliases } of REFERENCE_COLUMNS[kind]) {
    const mapped = mapping.get(name)
    const ownNames = names.filter(each => fold(each) === fold(name))
    const byAlias = names.filter(each => aliases.some(alias => fold(alias) === fold(each)))
    const found = mapped === undefined ? (ownNames.length > 0 ? ownNames : byAlias) : names.filter(n => n === mapped)
    if (found.length > 1) faults.push(`${found.join(' and ')} both mean ${name}: say which with --map ${name}=NAME`)
    else if (found[0] !== undefined) columns.set(name, found[0])
    else if (mapped !== undefined) faults.push(`no column is called as --map ${name} says`)
  }
  return { columns, faults }
}
