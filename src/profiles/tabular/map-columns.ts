import { AppError } from '../../errors.ts'
import { foldColumnName } from '../fold-column-name.ts'
import type { Composition, Field, Profile } from '../profile.ts'
import { type ColumnUse, UNUSED, useOfColumn } from './column-index.ts'
import { inferColumns } from './headings/infer-columns.ts'
import type { ColumnEvidence, SourceOptions } from './source-options.ts'

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
  /** Whether its column was told by its cells and not by its name alone. */
  readonly isInferred: boolean
}

/** Which columns of a file make which fields. */
export interface ColumnMapping {
  readonly names: readonly string[]
  readonly fields: readonly FieldColumns[]
  /** Columns kept as they are because they belong to no field. */
  readonly extra: readonly number[]
  /** Columns whose name alone does not say what they are. */
  readonly hinted: readonly number[]
}

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
    composition: own.length > 0 ? null : compositionOf(field, profile, uses),
    isInferred: false
  }
}

/** Whether a file has anything that a field may be read from. */
export const hasColumns = (columns: FieldColumns): boolean =>
  columns.own.length + columns.fallbacks.length > 0 || columns.composition !== null

/** What is known of a file's columns beside their names. */
export interface MappingHelp {
  readonly overrides?: SourceOptions['columns']
  readonly evidence?: ColumnEvidence
}

/**
 * Finds the columns of every field by name; case, accents, punctuation and underscores do not count. A source's own
 * names go first. A name that alone means several things is a field's only by what its cells prove. Columns of no field
 * are listed as `extra`.
 * @throws AppError `CONFIG_INVALID` for an override that names no field a submission can give.
 */
export function mapColumns(profile: Profile, names: readonly string[], help: MappingHelp = {}): ColumnMapping {
  const overridden = overrideUses(profile, help.overrides)
  const uses = names.map(name => overridden.get(foldColumnName(name)) ?? useOfColumn(profile, name))
  const named = Object.values(profile.fields).map(field => fieldColumns(field, profile, uses))
  const inferred = inferColumns({ names, uses, evidence: help.evidence, claimed: named.filter(hasColumns) })
  const fields = named
    .map(columns => {
      const at = inferred.get(columns.field)
      return at === undefined ? columns : { ...columns, own: [at], isInferred: true }
    })
    .filter(hasColumns)
  const taken = new Set(
    fields.flatMap(({ own, composition }) => [...own, ...(composition?.parts ?? []).map(([, at]) => at)])
  )
  return {
    names,
    fields,
    extra: names.flatMap((_, at) => (taken.has(at) ? [] : [at])),
    hinted: uses.flatMap((use, at) => (use.own === null && use.hints.length > 0 ? [at] : []))
  }
}

/** The positions of columns whose cells can prove something: how the column is written, or what it is. */
export interface ColumnKinds {
  readonly dates: readonly number[]
  readonly numbers: readonly number[]
  readonly hinted: readonly number[]
  /** Columns of no field, which a source may map later. */
  readonly others: readonly number[]
}

/** Sorts the columns of a mapping by what their cells can prove. */
export function columnKinds(mapping: ColumnMapping): ColumnKinds {
  const positions = (types: readonly string[]): number[] =>
    mapping.fields
      .filter(columns => types.includes(columns.field.type))
      .flatMap(columns => [...columns.own, ...columns.fallbacks])
  const { hinted } = mapping
  const others = mapping.extra.filter(at => !hinted.includes(at))
  return { dates: positions(['date']), numbers: positions(['money', 'decimal', 'integer']), hinted, others }
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
