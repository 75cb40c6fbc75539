import type { Json } from '../../../model/json.ts'
import { readVin } from '../../../normalize/codes/vin.ts'
import type { Evidence } from '../../find/evidence.ts'
import { originOfRow, type Row, rowsOf } from '../../find/layout/tables.ts'
import type { View } from '../../find/view.ts'
import { LISTED } from './coverages.ts'

/** Seventeen letters and digits with digits among the last: what a number of a vehicle looks like, read or misread. */
const VIN = /(?<![A-Z\d])(?=[A-Z\d]*\d[A-Z\d]*\d)[A-Z\d]{17}(?![A-Z\d])/g
const YEAR = /\b(?:19[5-9]|20[0-4])\d\b/
const MOST = 100

/** Year, make and model in the row of a vehicle's number, or right above it: from the year up to the number. */
function descriptionOf(row: Row, above: Row | undefined, vin: string): string | null {
  for (const cells of [row.cells, above?.cells ?? []]) {
    const text = cells.map(cell => cell.text).join(' ')
    const year = YEAR.exec(text)
    if (!year) continue
    const [own = ''] = text.slice(year.index).split(vin)
    const words = own
      .replace(/\b(?:vin|id ?#?|vehicle id(?:entification)?(?: number| no\.?)?|serial (?:number|no\.?))[:#]?.*$/i, '')
      .trim()
    if (/\p{L}{2}/u.test(words)) return words.replace(/(?<![\s,;:#-])[\s,;:#-]+$/, '').slice(0, 80)
  }
  return null
}

/** What is left of a list in which a number fails its own check: a person looks at it before anybody relies on it. */
const FAILED = 0.5

/** Vehicles by their numbers, each once. A number whose check digit is wrong makes the whole list unsure. */
export function vehiclesOf(view: View): Evidence[] {
  const rows = rowsOf(view.sheet)
  const found = new Map<string, { item: Record<string, Json>; row: Row; flags: readonly string[] }>()
  for (const [at, row] of rows.entries()) {
    const text = row.cells.map(cell => cell.text).join(' ')
    for (const [raw] of text.matchAll(VIN)) {
      if (found.size >= MOST || found.has(raw)) continue
      const reading = readVin(raw, view.context)
      const description = descriptionOf(row, rows[at - 1], raw) ?? raw
      const item = reading.value === null ? { description } : { description, vin: reading.value }
      found.set(raw, { item, row, flags: reading.flags })
    }
  }
  const all = [...found.values()]
  const [first] = all
  const origin = first ? originOfRow(first.row) : null
  if (!first || !origin) return []
  const flags = [...new Set(all.flatMap(one => one.flags))].filter(flag => flag !== 'FIELD_INVALID')
  const score = all.some(one => one.flags.includes('CHECK_DIGIT') || one.item['vin'] === undefined) ? FAILED : LISTED
  const raw = first.row.cells.map(cell => cell.text).join(' ')
  return [
    { field: 'vehicles', value: all.map(({ item }) => item), raw, origin, status: 'found', flags, score, via: 'vin' }
  ]
}
