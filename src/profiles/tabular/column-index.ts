import { foldColumnName } from '../fold-column-name.ts'
import type { Composition, Field, Profile } from '../profile.ts'

/** What a column of some name can serve. */
export interface ColumnUse {
  /** The field it belongs to, and how telling its name is for it: 0 is the field's own name. */
  readonly own: { readonly field: Field; readonly rank: number } | null
  readonly fallbacks: readonly { readonly field: Field; readonly rank: number }[]
  readonly parts: readonly { readonly composition: Composition; readonly part: string }[]
}

interface OpenUse {
  own: ColumnUse['own']
  fallbacks: { readonly field: Field; readonly rank: number }[]
  parts: { readonly composition: Composition; readonly part: string }[]
}

const indexes = new WeakMap<Profile, ReadonlyMap<string, ColumnUse>>()

function indexFields(profile: Profile, useOf: (name: string) => OpenUse): void {
  for (const field of Object.values(profile.fields)) {
    if (field.filledBy === 'registry') continue
    for (const [rank, name] of [field.name, ...field.columns].entries()) useOf(name).own ??= { field, rank }
    for (const [rank, name] of field.fallbacks.entries()) useOf(name).fallbacks.push({ field, rank })
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
      const use = open.get(folded) ?? { own: null, fallbacks: [], parts: [] }
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

/** Does the profile know a column of this name? Finds the header row of a file with lines above it. */
export function knownColumn(profile: Profile, name: string): boolean {
  return columnIndex(profile).has(foldColumnName(name))
}
