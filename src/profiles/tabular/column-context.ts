import { serialDay } from '../../normalize/dates/numeric-date.ts'
import type { Field, ReadContext } from '../profile.ts'
import { headingOrder } from './headings/heading.ts'
import type { ColumnMapping } from './map-columns.ts'
import type { ColumnContext } from './read-cell.ts'
import type { ColumnProof, RowContext } from './source-options.ts'

/**
 * Which system the day numbers of a file count by, when its columns prove it: day numbers throughout in a column of past
 * days, whose last one would lie in the future by the later system. Undefined: nothing proves it.
 */
export function provenSerials(mapping: ColumnMapping, context: RowContext): '1900' | undefined {
  const pastDates = mapping.fields.filter(({ field }) => field.type === 'date' && field.yearPivot === 'past')
  const names = new Set(pastDates.flatMap(({ own }) => own.map(at => mapping.names[at])))
  const isProven = context.evidence?.columns.some(
    ({ name, latestSerial }) =>
      latestSerial !== undefined &&
      names.has(name) &&
      serialDay(latestSerial, '1900') <= context.today &&
      serialDay(latestSerial, '1904') > context.today
  )
  return isProven ? '1900' : undefined
}

/**
 * What the source declares, else what all cells of the column prove or its heading asks for; neither where they
 * contradict each other: one slip among cells would turn all the others.
 */
function dateOrderOf(name: string | null, proof: ColumnProof | undefined, context: RowContext) {
  const declared = context.source?.dateOrder
  if (declared !== undefined) return declared
  const asked = name === null ? null : headingOrder(name)
  const proven = proof?.dateOrder
  return proven === undefined || asked === null || asked === proven ? (proven ?? asked ?? undefined) : undefined
}

/** How the cells of one column are read; `column` null for a value that several columns make. */
export function columnContext(
  field: Field,
  column: string | null,
  context: RowContext,
  serials: '1900' | undefined
): ColumnContext {
  const { source = {}, evidence } = context
  const proof = column === null ? undefined : evidence?.columns.find(entry => entry.name === column)
  // Neither order can be trusted for days that may have been turned already.
  const dateOrder = proof?.turned ? undefined : dateOrderOf(column, proof, context)
  const decimal = source.decimal ?? proof?.decimal
  const serialDates = source.serialDates ?? (proof?.latestSerial === undefined ? undefined : serials)
  const cell: ReadContext = {
    today: context.today,
    jurisdiction: context.jurisdiction,
    yearPivot: field.yearPivot,
    source: 'cell',
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(decimal === undefined ? {} : { decimal }),
    ...(source.currency === undefined ? {} : { currency: source.currency }),
    ...(serialDates === undefined ? {} : { serialDates })
  }
  // JSON's own number syntax has the point as decimal sign, whatever the texts beside it use.
  return { cell, json: { ...cell, source: 'json', decimal: '.' } }
}
