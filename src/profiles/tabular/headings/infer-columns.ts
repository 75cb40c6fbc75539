import type { Field, FieldType } from '../../profile.ts'
import type { ColumnUse } from '../column-index.ts'
import type { ColumnEvidence } from '../source-options.ts'

/** What cells must be for a field of a type; cells of other types prove nothing. */
const PROVEN_BY: Partial<Record<FieldType, 'date' | 'amount'>> = { date: 'date', money: 'amount' }

/** Fields whose columns must be known by name before a name beside them is given a meaning. */
const LEAST_NEIGHBOURS = 2

export interface NamedColumns {
  readonly names: readonly string[]
  readonly uses: readonly ColumnUse[]
  readonly evidence: ColumnEvidence | undefined
  /** Fields that have a column already. */
  readonly claimed: readonly { readonly field: Field; readonly own: readonly number[] }[]
}

function provenField(use: ColumnUse, kind: 'date' | 'amount' | undefined): Field | null {
  const [field, other] = use.hints
  if (field === undefined || other !== undefined || kind === undefined) return null
  if (use.own !== null || use.fallbacks.length + use.parts.length > 0) return null
  return PROVEN_BY[field.type] === kind ? field : null
}

/**
 * Columns such as `Value` or `Issued` that are a field's although the name alone does not say so: nothing else in the file
 * claims the field, no other column could be it, all cells are of the field's type, and the columns beside it tell the
 * profile. By field.
 */
export function inferColumns({ names, uses, evidence, claimed }: NamedColumns): ReadonlyMap<Field, number> {
  const inferred = new Map<Field, number>()
  if (evidence === undefined || !uses.some(use => use.hints.length > 0)) return inferred
  if (claimed.filter(columns => columns.own.length > 0).length < LEAST_NEIGHBOURS) return inferred
  const taken = new Set(claimed.map(({ field }) => field))
  const rivals = new Set<Field>()
  for (const [at, use] of uses.entries()) {
    const proof = evidence.columns.find(column => column.name === names[at])
    const field = provenField(use, proof?.kind)
    if (field === null || taken.has(field)) continue
    if (inferred.has(field)) rivals.add(field)
    inferred.set(field, at)
  }
  for (const field of rivals) inferred.delete(field)
  return inferred
}
