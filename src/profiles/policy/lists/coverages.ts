import type { Json } from '../../../model/json.ts'
import { readLimit } from '../../../normalize/coverage/limit.ts'
import { readMoney } from '../../../normalize/money.ts'
import type { Evidence } from '../../find/evidence.ts'
import {
  byColumn,
  type Column,
  columnOf,
  originOfRow,
  type Row,
  rowsOf,
  type TableKind,
  tablesOf
} from '../../find/layout/tables.ts'
import { findAmounts } from '../../find/values/mentions.ts'
import type { View } from '../../find/view.ts'

type Heading = 'coverage' | 'limit' | 'either' | 'deductible' | 'premium' | 'other'

function headingOf(text: string): Heading | null {
  if (/[$£€] ?\d/.test(text) || text.length > 60) return null
  if (/\b(?:premium bas[ie]s|rate|code|class|covered autos|symbol)\b/i.test(text)) return 'other'
  if (/^limits?\b.{1,20}\bdeductibles?$/i.test(text)) return 'either'
  if (/\bdeductibles?\b|^ded\.?$/i.test(text)) return 'deductible'
  if (/\blimits?\b|\bamounts? of insurance\b|\binsurance amount\b|^amount$/i.test(text)) return 'limit'
  if (/\bpremiums?\b|^(?:veh(?:icle)?|auto|car|unit)\.? ?#?\d$/i.test(text)) return 'premium'
  return /\bcoverages?\b|^(?:section|part) (?:i{1,3}|[12])\b|\bdescription\b|^(?:insurance provided|protection)$/i.test(
    text
  )
    ? 'coverage'
    : null
}

/** Rows that are no coverage of their own. */
const NO_COVERAGE =
  /^section\b|\b(?:total|sub-?total|premium(?!s? rented)|discounts?|credits?|savings|fees?|tax(?:es)?|surcharges?|charges|trust fund|assessments?|instal+ments?|(?<!medical )payments?|due|policy (?:number|period)|(?<!self-)insured|agent|mortgagee|lienholder|loan|forms?|endorsements?|address|date|page|deductibles?)\b/i

const KIND: TableKind<Heading> = {
  heading: headingOf,
  isHead: names =>
    (names.has('coverage') && (names.has('limit') || names.has('either') || names.has('premium'))) ||
    (names.has('limit') && names.has('premium')),
  isRow: (texts, row) => {
    const label = texts.get('coverage') ?? row.cells[0]?.text ?? ''
    if (!/^[•*\s]*\p{L}/u.test(label) || /:./.test(label) || label.length > 90 || NO_COVERAGE.test(label)) return false
    return isLimit(texts.get('limit') ?? texts.get('either')) || isPremium(texts.get('premium'))
  }
}

const WORDED =
  /^(?:incl(?:uded|\.)?|excl(?:uded|\.)?|not (?:covered|purchased)|declined|rejected|waived|unlimited|statutory|(?:see|per) schedule|als\b.*|actual (?:loss sustained|cash value).*|acv.*)$/i

function isLimit(text: string | undefined): boolean {
  if (text === undefined || text.length > 80 || /•|\b(?:date|up to|days)\b/i.test(text)) return false
  return WORDED.test(text) || /^(?:[$£€] ?\d|\d{1,3}(?:,\d{3})+|\d{2,3}\/\d{2,3}|\d{2,3} ?CSL)/i.test(text)
}

const isPremium = (text: string | undefined): boolean =>
  text !== undefined && (/^incl/i.test(text) || findAmounts(text).length > 0)

/** Names of coverages that stand before their limit without a heading over it. */
const KNOWN =
  /^(?:[a-f][.)-]* ?(?:- )?)?(?:coverage [a-f]\b.*|dwelling|other structures|separate structures|personal property|contents|building|business personal property|loss of use|additional living expense|personal liability|medical (?:payments|expenses?)|each occurrence|general aggregate|aggregate limit|products[ /-]+completed operations aggregate|personal (?:and|&) advertising injury|damage to (?:rented )?premises|bodily injury|property damage|uninsured|underinsured|comprehensive|collision|other than collision|combined single limit|self-insured retention|(?:premises )?liability|each accident|each claim|hired|non-?owned|employers liability|(?:business|loss of) income)\b/i

function moneyOf(text: string | undefined, view: View): string | null {
  const amounts = text === undefined ? [] : findAmounts(text)
  const [only] = amounts
  const value = only && amounts.length === 1 ? readMoney(only.raw, view.context).value : null
  return value === null || value.startsWith('-') ? null : value
}

interface Coverage {
  readonly item: Record<string, Json>
  readonly row: Row
}

function coverage(label: string, texts: ReadonlyMap<Heading, string>, row: Row, view: View): Coverage {
  const either = texts.get('either')
  const isDeductible = either !== undefined && /\bded/i.test(either)
  const limit = texts.get('limit') ?? (isDeductible ? undefined : either)
  const deductible = texts.get('deductible') ?? (isDeductible ? either : undefined)
  const premium = moneyOf(texts.get('premium'), view)
  return {
    row,
    item: {
      label: label.replace(/^[•*\s]+|(?<![\s.:…])[\s.:…]+$/g, ''),
      ...(isLimit(limit) ? { limit: limit ?? '' } : {}),
      ...(deductible !== undefined && /\d/.test(deductible) ? { deductible } : {}),
      ...(premium === null ? {} : { premium })
    }
  }
}

/** Cells left of the first column that has a heading name a coverage where no heading stands over them. */
function labelOf(row: Row, columns: readonly Column<Heading>[], texts: ReadonlyMap<Heading, string>): string {
  const left = Math.min(...columns.filter(column => column.name !== null).map(column => column.box[0]))
  const own = row.cells.filter(cell => columnOf(cell, columns) === null && cell.box[0] < left)
  const named = texts.get('coverage')
  const label = [...own.map(cell => cell.text), ...(named === undefined ? [] : [named])].join(' ')
  return label === '' ? (row.cells[0]?.text ?? '') : label
}

function inTables(view: View): Coverage[] {
  return tablesOf(view.sheet, KIND).flatMap(table =>
    table.rows.map(row => {
      const texts = byColumn(row, table.columns)
      return coverage(labelOf(row, table.columns, texts), texts, row, view)
    })
  )
}

function standingAlone(view: View, taken: ReadonlySet<Row>): Coverage[] {
  return rowsOf(view.sheet).flatMap(row => {
    const [first, second] = row.cells
    if (taken.has(row) || !first || !second || !KNOWN.test(first.text) || NO_COVERAGE.test(first.text)) return []
    const isAmount =
      isLimit(second.text) && !readLimit(second.text, view.context).limits.some(limit => limit.type === 'unreadable')
    return isAmount && first.text.length < 80
      ? [coverage(first.text, new Map([['limit', second.text]]), row, view)]
      : []
  })
}

const MOST = 200
/** Rows of lists are not calibrated on truths of their own: none is called sure. */
export const LISTED = 0.72

/** The coverages of a declaration with their limits, deductibles and premiums as printed. */
export function coveragesOf(view: View): Evidence[] {
  const tabled = inTables(view)
  const all = [...tabled, ...standingAlone(view, new Set(tabled.map(one => one.row)))].slice(0, MOST)
  const items = [...new Map(all.map(({ item }) => [JSON.stringify(item), item])).values()]
  const [first] = all
  const origin = first ? originOfRow(first.row) : null
  if (!first || !origin) return []
  const raw = first.row.cells.map(cell => cell.text).join(' ')
  return [{ field: 'coverages', value: items, raw, origin, status: 'found', flags: [], score: LISTED, via: 'table' }]
}

/** Coverage A in canonical decimal text, where a declaration of a home states it. */
export function coverageA(items: Json): string | null {
  if (!Array.isArray(items)) return null
  const dwelling = items.find(
    item =>
      typeof item === 'object' &&
      item !== null &&
      !Array.isArray(item) &&
      /^(?:(?:coverage )?a\b.*|dwelling)/i.test(String(item['label']))
  )
  const limit =
    typeof dwelling === 'object' && dwelling !== null && !Array.isArray(dwelling) ? String(dwelling['limit'] ?? '') : ''
  return /^[$\d]/.test(limit) ? readMoney(limit, { today: '2000-01-01', source: 'text' }).value : null
}
