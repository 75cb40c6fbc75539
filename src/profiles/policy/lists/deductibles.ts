import type { Json } from '../../../model/json.ts'
import { readDeductible } from '../../../normalize/coverage/deductible.ts'
import type { Evidence } from '../../find/evidence.ts'
import { originOfRow, type Row, rowsOf } from '../../find/layout/tables.ts'
import type { View } from '../../find/view.ts'
import { coverageA, LISTED } from './coverages.ts'

const PERIL =
  '(?:all other perils|all perils|aop|wind(?:storm)?(?: ?\\/ ?| or | and )hail|hurricane|named storm|earthquake|water(?: damage| backup)?|theft|comprehensive|collision|other than collision|per occurrence|property|optional)'
const VALUE =
  '(?:\\$ ?[\\d,]+(?:\\.\\d{2})?|\\d{1,2}(?:\\.\\d{1,2})? ?%)(?: (?:of coverage a|of [a-z ]{3,20}))?(?: ?\\((?:\\$ ?[\\d,]+|\\d{1,2} ?%)[^)]{0,20}\\))?'

/** `Hurricane Deductible: $8,240 (2%)`, `All Other Perils Deductible $2,500`. */
const NAMED = new RegExp(`\\b(${PERIL}) (?:deductible|ded\\.?)[: -]{0,4}(${VALUE})`, 'gi')
/** `$500 Deductible`, `Less Deductible $250`, `Deductible - Section I: $1,000 All Perils`. */
const BEFORE = new RegExp(`(${VALUE}) (?:deductible|ded)\\b`, 'gi')
const BARE = new RegExp(
  `(?<!\\b${PERIL} )\\b(?:deductible|ded\\.?)\\b(?: ?- ?[a-z0-9 ]{1,20})?[: -]{0,4}(${VALUE})(?: (all (?:other )?perils))?`,
  'gi'
)
/** What is listed behind it by peril. */
const LISTED_AFTER = new RegExp(`\\b(${PERIL}): ?(${VALUE})`, 'gi')
const FAILED = 0.5
const MOST = 60

interface Stated {
  readonly item: Record<string, Json>
  readonly flags: readonly string[]
  readonly row: Row
}

function stated(peril: string, value: string, row: Row, options: { view: View; a: string | null }): Stated[] {
  const { deductibles, flags } = readDeductible(
    `${peril} ${value}`,
    options.view.context,
    options.a === null ? {} : { coverageA: options.a }
  )
  return deductibles.slice(0, 1).map(({ amount, percent }) => ({
    row,
    flags,
    item: { peril, ...(amount === null ? {} : { amount }), ...(percent === null ? {} : { percent }) }
  }))
}

function inRow(row: Row, options: { view: View; a: string | null }): Stated[] {
  const text = row.cells.map(cell => cell.text).join(' ; ')
  if (!/\bdeductibles?\b|\bded\b/i.test(text) || text.length > 300) return []
  const before = [...text.matchAll(BEFORE)].map(match => ['Deductible', match[1] ?? ''] as const)
  const bare =
    before.length > 0 ? [] : [...text.matchAll(BARE)].map(match => [match[2] ?? 'Deductible', match[1] ?? ''] as const)
  const named = [...text.matchAll(NAMED)].map(match => [match[1] ?? '', match[2] ?? ''] as const)
  const after =
    bare.length === 0 ? [] : [...text.matchAll(LISTED_AFTER)].map(match => [match[1] ?? '', match[2] ?? ''] as const)
  return [...before, ...bare, ...named, ...after].flatMap(([peril, value]) => stated(peril, value, row, options))
}

/** Deductibles by peril. An amount that is not its percentage of coverage A makes the list unsure. */
export function deductiblesOf(view: View, coverages: Json): Evidence[] {
  const options = { view, a: coverageA(coverages) }
  const all = rowsOf(view.sheet)
    .flatMap(row => inRow(row, options))
    .slice(0, MOST)
  const [first] = all
  const origin = first ? originOfRow(first.row) : null
  if (!first || !origin) return []
  const value = [...new Map(all.map(({ item }) => [JSON.stringify(item), item])).values()]
  const flags = [...new Set(all.flatMap(one => one.flags))]
  const score = flags.includes('DEDUCTIBLE_MISMATCH') ? FAILED : LISTED
  const raw = first.row.cells.map(cell => cell.text).join(' ')
  return [{ field: 'deductibles', value, raw, origin, status: 'found', flags, score, via: 'deductible' }]
}
