import { foldColumnName } from '../fold-column-name.ts'
import type { Composition, Field, Profile } from '../profile.ts'
import { headingUnit, plainHeading } from './headings/heading.ts'

/** What a column of some name can serve. */
export interface ColumnUse {
  /** The field it belongs to, and how telling its name is for it: 0 is the field's own name. */
  readonly own: { readonly field: Field; readonly rank: number } | null
  readonly fallbacks: readonly { readonly field: Field; readonly rank: number }[]
  readonly parts: readonly { readonly composition: Composition; readonly part: string }[]
  /** Fields it may be when its cells say so too: names that alone mean several things. */
  readonly hints: readonly Field[]
}

/** The use of a column that the profile knows nothing of. */
export const UNUSED: ColumnUse = { own: null, fallbacks: [], parts: [], hints: [] }

interface OpenUse {
  own: ColumnUse['own']
  fallbacks: { readonly field: Field; readonly rank: number }[]
  parts: { readonly composition: Composition; readonly part: string }[]
  readonly hints: Field[]
}

const indexes = new WeakMap<Profile, ReadonlyMap<string, ColumnUse>>()

function indexFields(profile: Profile, useOf: (name: string) => OpenUse): void {
  for (const field of Object.values(profile.fields)) {
    if (field.filledBy === 'registry') continue
    for (const [rank, name] of [field.name, ...field.columns].entries()) useOf(name).own ??= { field, rank }
    for (const [rank, name] of field.fallbacks.entries()) useOf(name).fallbacks.push({ field, rank })
    for (const name of field.hints) useOf(name).hints.push(field)
  }
}

function indexParts(profile: Profile, useOf: (name: string) => OpenUse): void {
  for (const composition of profile.compositions) {
    for (const [part, names] of Object.entries(composition.parts)) {
      for (const name of names) useOf(name).parts.push({ composition, part })
    }
  }
}

/** Everything a profile knows about column names, by folded name; made once per profile. */
export function columnIndex(profile: Profile): ReadonlyMap<string, ColumnUse> {
  let index = indexes.get(profile)
  if (index === undefined) {
    const open = new Map<string, OpenUse>()
    const useOf = (name: string): OpenUse => {
      const folded = foldColumnName(name)
      const use = open.get(folded) ?? { own: null, fallbacks: [], parts: [], hints: [] }
      open.set(folded, use)
      return use
    }
    indexFields(profile, useOf)
    indexParts(profile, useOf)
    index = open
    indexes.set(profile, index)
  }
  return index
}

/** Records that are wrapped carry their values in `properties` (GeoJSON), `attributes` (ArcGIS) or `_source` (Elasticsearch). */
const WRAPPED = /^(?:properties|attributes|_source)\.(?=.)/

/**
 * What a column of this name can serve: as written, else without notes such as `(required)`. A heading that names a unit
 * is no column of amounts in the currency of the profile.
 */
export function useOfColumn(profile: Profile, name: string): ColumnUse {
  const use = namedUse(profile, name)
  const unit = use === UNUSED ? null : headingUnit(name)
  if (unit === null) return use
  // A share is no number of units either.
  const isOther = ({ type }: Field): boolean => type !== 'money' && (unit === 'currency' || type !== 'integer')
  return {
    own: use.own !== null && isOther(use.own.field) ? use.own : null,
    fallbacks: use.fallbacks.filter(({ field }) => isOther(field)),
    parts: use.parts,
    hints: use.hints.filter(isOther)
  }
}

function namedUse(profile: Profile, name: string): ColumnUse {
  const index = columnIndex(profile)
  const use = index.get(foldColumnName(name))
  if (use !== undefined) return use
  if (WRAPPED.test(name)) return namedUse(profile, name.replace(WRAPPED, ''))
  const plain = plainHeading(name)
  return (plain === null ? undefined : index.get(plain)) ?? UNUSED
}

/** Does the profile know a nested member by its path, or by its path inside a feature of a map? */
export function isKnownPath(profile: Profile, path: string): boolean {
  const index = columnIndex(profile)
  return index.has(foldColumnName(path)) || (WRAPPED.test(path) && index.has(foldColumnName(path.replace(WRAPPED, ''))))
}

/** Does the profile, or the source itself, know a column of this name? Finds the header row of a file with lines above it. */
export function knownColumn(profile: Profile, name: string, own?: ReadonlySet<string>): boolean {
  return useOfColumn(profile, name) !== UNUSED || own?.has(foldColumnName(name)) === true
}
