import type { Field, Profile, ReadContext } from '../profile.ts'
import { type ColumnMapping, mapColumns } from './map-columns.ts'
import type { ColumnContext } from './read-cell.ts'
import type { FieldPlan } from './read-columns.ts'
import type { RowContext } from './source-options.ts'

/** All that is settled for rows with the same names, so that a row costs only its cells. */
export interface RowPlan {
  /** Every field a submission can give, in the profile's order; without columns when the file has none for it. */
  readonly fields: readonly FieldPlan[]
  readonly extra: ColumnMapping['extra']
}

function contextOf(field: Field, column: string | null, context: RowContext): ColumnContext {
  const { source = {}, evidence } = context
  const proven = column === null ? undefined : evidence?.columns.find(entry => entry.name === column)
  const dateOrder = source.dateOrder ?? proven?.dateOrder
  const decimal = source.decimal ?? proven?.decimal
  const cell: ReadContext = {
    today: context.today,
    jurisdiction: context.jurisdiction,
    yearPivot: field.yearPivot,
    source: 'cell',
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(decimal === undefined ? {} : { decimal }),
    ...(source.currency === undefined ? {} : { currency: source.currency }),
    ...(source.serialDates === undefined ? {} : { serialDates: source.serialDates })
  }
  // JSON's own number syntax has the point as decimal sign, whatever the texts beside it use.
  return { cell, json: { ...cell, source: 'json', decimal: '.' } }
}

const NO_COLUMNS = { own: [], fallbacks: [], composition: null }

/** Settles how rows with these names are read. */
export function planRows(profile: Profile, names: readonly string[], context: RowContext): RowPlan {
  const mapping = mapColumns(profile, names, context.source?.columns)
  const fields = Object.values(profile.fields)
    .filter(field => field.filledBy !== 'registry')
    .map(field => {
      const columns = mapping.fields.find(entry => entry.field === field) ?? { field, ...NO_COLUMNS }
      const positions = [...columns.own, ...columns.fallbacks]
      const contexts = positions.map((at): [number, ColumnContext] => [
        at,
        contextOf(field, names[at] ?? null, context)
      ])
      return { ...columns, contexts: new Map(contexts), context: contextOf(field, null, context) }
    })
    .filter(plan => isNeeded(plan.field, profile) || plan.own.length + plan.fallbacks.length > 0 || plan.composition)
  return { fields, extra: mapping.extra }
}

/** Required fields are looked at even without a column, so that they are reported missing. */
function isNeeded(field: Field, profile: Profile): boolean {
  return field.required || field.filledBy === 'mapping' || field.name === profile.jurisdictionField
}
