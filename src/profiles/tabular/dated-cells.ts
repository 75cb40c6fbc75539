import type { RawRow, RawValue } from '../../model/rows.ts'
import type { Profile } from '../profile.ts'
import { MappingCache, mapColumns } from './map-columns.ts'
import { helpOf } from './row-plan.ts'
import type { RowContext } from './source-options.ts'

/** What a cell is read as that a sheet holds as a day. */
type Shown = (value: RawValue) => RawValue

const asInstant: Shown = value => (typeof value === 'string' && !value.includes('T') ? `${value}T00:00:00` : value)

const SHEET_DAY = /^(\d{4})-(\d{2})-(\d{2})(?:T(.*))?$/

/** Day and month as numbers whose order nothing tells. */
const inEitherOrder: Shown = value => {
  const match = typeof value === 'string' ? SHEET_DAY.exec(value) : null
  if (!match) return value
  const [, year, month, day, time] = match
  return `${month}/${day}/${year}${time === undefined ? '' : ` ${time}`}`
}

/**
 * Shows cells that a sheet holds as days by what is known of them. A sheet makes a day of an identifier such as `3-4`, and
 * keeps nothing of what was typed: that is shown as the day and time it was turned into, by which it is known as no
 * identifier. Days that may have been taken for others when the file was opened (`turned`) are shown as numbers that can be
 * read either way. What was submitted is not altered: this is for reading the fields only.
 */
export function datedCells(
  profile: Profile,
  context: Pick<RowContext, 'source' | 'evidence'>
): (row: RawRow) => RawRow {
  const turned = new Set(context.evidence?.columns.flatMap(proof => (proof.turned ? [proof.name] : [])))
  const ways = new MappingCache(names => {
    const { fields } = mapColumns(profile, names, helpOf({ source: context.source, evidence: context.evidence }))
    const found = new Map<number, Shown>()
    for (const [at, name] of names.entries()) if (turned.has(name)) found.set(at, inEitherOrder)
    for (const { field, own, fallbacks } of fields) {
      if (field.type === 'identifier') for (const at of [...own, ...fallbacks]) found.set(at, asInstant)
    }
    return found
  })
  return row => {
    if (row.dated === undefined) return row
    const shown = ways.get(row.names)
    const values = [...row.values]
    let isAltered = false
    for (const at of row.dated) {
      const way = shown.get(at)
      if (way === undefined) continue
      values[at] = way(values[at] ?? null)
      isAltered = true
    }
    return isAltered ? { ...row, values } : row
  }
}
