import type { RawRow } from '../../model/rows.ts'
import type { Profile } from '../profile.ts'
import { MappingCache, mapColumns } from './map-columns.ts'
import { helpOf } from './row-plan.ts'
import type { RowContext } from './source-options.ts'

/**
 * A sheet makes a date of an identifier such as `3-4`, and keeps nothing of what was typed. Such a cell is shown as the day
 * and time it was turned into, by which it is known as no identifier. What was submitted is not altered: this is for
 * reading the fields only.
 */
export function datedIdentifiers(
  profile: Profile,
  context: Pick<RowContext, 'source' | 'evidence'>
): (row: RawRow) => RawRow {
  const identifiers = new MappingCache(names => {
    const { fields } = mapColumns(profile, names, helpOf({ source: context.source, evidence: context.evidence }))
    return new Set(
      fields.filter(({ field }) => field.type === 'identifier').flatMap(({ own, fallbacks }) => [...own, ...fallbacks])
    )
  })
  return row => {
    if (row.dated === undefined) return row
    const turned = row.dated.filter(at => identifiers.get(row.names).has(at))
    if (turned.length === 0) return row
    return { ...row, values: row.values.map((value, at) => (turned.includes(at) ? asInstant(value) : value)) }
  }
}

const asInstant = (value: RawRow['values'][number]): RawRow['values'][number] =>
  typeof value === 'string' && !value.includes('T') ? `${value}T00:00:00` : value
