import { AppError } from '../../errors.ts'
import { foldColumnName } from '../fold-column-name.ts'
import type { Composition, Field, Profile } from '../profile.ts'
import { type ColumnUse, columnIndex } from './column-index.ts'
import type { SourceOptions } from './source-options.ts'

/** The columns of one field, as positions in the row. */
export interface FieldColumns {
  readonly field: Field
  /** Its own columns, the most telling name first. */
  readonly own: readonly number[]
  /** Columns that stand in when none of its own has a value. */
  readonly fallbacks: readonly number[]
  readonly composition: {
    readonly composition: Composition
    readonly parts: readonly (readonly [string, number])[]
  } | null
}

/** Which columns of a file make which fields. */
export interface ColumnMapping {
  readonly names: readonly string[]
  readonly fields: readonly FieldColumns[]
  /** Columns kept as they are because they belong to no field. */
  readonly extra: readonly number[]
}

const UNUSED: ColumnUse = { own: null, fallbacks: [], parts: [] }
const OVERRIDDEN = -1

function overrideUses(profile: Profile, overrides: SourceOptions['columns']): Map<string, ColumnUse> {
  const uses = new Map<string, ColumnUse>()
  for (const [column, name] of Object.entries(overrides ?? {})) {
    const field = name === null || !Object.hasOwn(profile.fields, name) ? undefined : profile.fields[name]
    if (name !== null && (field === undefined || field.filledBy === 'registry')) {
      throw new AppError(
        'CONFIG_INVALID',
        `A column is mapped to ${name}, which is no field that ${profile.name} can be sent.`
      )
    }
    uses.set(foldColumnName(column), field === undefined ? UNUSED : { ...UNUSED, own: { field, rank: OVERRIDDEN } })
  }
  return uses
}

function positionsOf(ranked: readonly { readonly at: number; readonly rank: number }[]): number[] {
  return ranked.toSorted((a, b) => a.rank - b.rank || a.at - b.at).map(entry => entry.at)
}

function compositionOf(field: Field, profile: Profile, uses: readonly ColumnUse[]): FieldColumns['composition'] {
  for (const composition of profile.compositions) {
    if (composition.field !== field.name) continue
    const parts = Object.keys(composition.parts).flatMap(part => {
      const at = uses.findIndex(use =>
        use.parts.some(entry => entry.composition === composition && entry.part === part)
      )
      return at < 0 ? [] : [[part, at] as const]
    })
    if (composition.needs.every(need => parts.some(([part]) => part === need))) return { composition, parts }
  }
  return null
}

function fieldColumns(field: Field, profile: Profile, uses: readonly ColumnUse[]): FieldColumns {
  const own = uses.flatMap((use, at) => (use.own?.field === field ? [{ at, rank: use.own.rank }] : []))
  const fallbacks = uses.flatMap((use, at) =>
    use.fallbacks.filter(entry => entry.field === field).map(entry => ({ at, rank: entry.rank }))
  )
  return {
    field,
    own: positionsOf(own),
    fallbacks: positionsOf(fallbacks),
    composition: own.length > 0 ? null : compositionOf(field, profile, uses)
  }
}

/**
 * Finds the columns of every field by name; case, accents, punctuation and underscores do not count. A source's own
 * names go first. Columns of no field are listed as `extra`.
 * @throws AppError `CONFIG_INVALID` for an override that names no field a submission can give.
 */
export function mapColumns(
  profile: Profile,
  names: readonly string[],
  overrides?: SourceOptions['columns']
): ColumnMapping {
  const index = columnIndex(profile)
  const overridden = overrideUses(profile, overrides)
  const uses = names.map(name => {
    const folded = foldColumnName(name)
    return overridden.get(folded) ?? index.get(folded) ?? UNUSED
  })
  const fields = Object.values(profile.fields)
    .map(field => fieldColumns(field, profile, uses))
    .filter(columns => columns.own.length + columns.fallbacks.length > 0 || columns.composition !== null)
  const taken = new Set(
    fields.flatMap(({ own, composition }) => [...own, ...(composition?.parts ?? []).map(([, at]) => at)])
  )
  return { names, fields, extra: names.flatMap((_, at) => (taken.has(at) ? [] : [at])) }
}

/** The positions of columns whose cells can prove how the column is written. */
export function columnKinds(mapping: ColumnMapping): { readonly dates: number[]; readonly numbers: number[] } {
  const positions = (types: readonly string[]): number[] =>
    mapping.fields
      .filter(columns => types.includes(columns.field.type))
      .flatMap(columns => [...columns.own, ...columns.fallbacks])
  return { dates: positions(['date']), numbers: positions(['money', 'decimal', 'integer']) }
}

/** Remembers mappings by their names: rows of a delimited file share them, JSON records mostly do. */
export class MappingCache<T> {
  readonly #make: (names: readonly string[]) => T
  readonly #known = new Map<string, T>()
  #lastNames: readonly string[] | null = null
  #last: T | null = null

  constructor(make: (names: readonly string[]) => T) {
    this.#make = make
  }

  /** Files whose records differ in their members more often than this are read without memory. */
  static readonly #limit = 1000

  get(names: readonly string[]): T {
    if (names === this.#lastNames && this.#last !== null) return this.#last
    const key = JSON.stringify(names)
    let made = this.#known.get(key)
    if (made === undefined) {
      made = this.#make(names)
      if (this.#known.size < MappingCache.#limit) this.#known.set(key, made)
    }
    this.#lastNames = names
    this.#last = made
    return made
  }
}
