import type { SampleRow } from '../sample.ts'

const TOTAL =
  '(?:grand[ -]|sub[ -]?|report |page |overall )?totals?(?: (?:for|of|number|count|records?|rows?|permits?|policy|policies|leases?|valuations?|values?|amounts?|premiums?|rents?|fees?)\\b[^\\d:]{0,40})?'
const COUNT = '(?:number|count|sum|average|mean) of [^\\d:]{1,40}|(?:record|row) count|records|rows'
/** The whole cell is such a label, with or without its number: `Total Roofing LLC` is a name. */
const LABEL = new RegExp(`^(?:${TOTAL})\\s*:?\\s*[$€£]?[\\d.,]*$|^(?:${COUNT})\\s*:\\s*[\\d.,]*$`, 'i')
/** First letters of the labels: passes over almost every row. */
const FIRST = /^\s*[tgsrponcam]/i
const MAX_LABEL = 80

/** Whether a row counts or adds up others: its first filled cell says so. */
function isSummary(cells: readonly string[]): boolean {
  const [first = ''] = cells
  const label = first === '' ? (cells.find(cell => cell !== '') ?? '') : first
  return label.length <= MAX_LABEL && FIRST.test(label) && LABEL.test(label.trim())
}

/** `Permit Type: Roof`, alone in a row of a report. */
const GROUP = /^\p{L}[\p{L}\d .#/&()-]{0,40}:(?!\/\/)/u
/** In a table of fewer columns a row with one cell may be a record. */
const LEAST_COLUMNS = 3

/** Why a row is no record of the table it stands in, in words; null for what may be one. */
export function notRecord(cells: readonly string[]): string | null {
  if (isSummary(cells)) return 'a summary row'
  return isGroupHeading(cells) ? 'a heading over the rows below it' : null
}

function isGroupHeading(cells: readonly string[]): boolean {
  if (cells.length < LEAST_COLUMNS || (cells[0] !== '' && cells[1] !== '')) return false
  const at = cells.findIndex(cell => cell !== '')
  return at >= 0 && GROUP.test(cells[at] ?? '') && cells.every((cell, index) => index === at || cell === '')
}

/** Rows that must agree before cells with digits count as the habit of a column. */
const LEAST_ROWS = 3

/**
 * Columns whose cells all hold digits: from the header to the first blank line, below which another table may stand; where
 * that is too short to tell, as in a file with a blank line behind every row, in the first half of the rows.
 */
export function digitColumns(columns: number, header: SampleRow | null, rows: readonly SampleRow[]): number[] {
  const below = rows.filter(row => header === null || row.start > header.start)
  const gap = below.findIndex((row, index) => index > 0 && row.line !== below[index - 1]?.lineAfter)
  const isRecord = (row: SampleRow): boolean => !row.isFaulty && row.cells.length >= columns && !isSummary(row.cells)
  const above = below.slice(0, gap < 0 ? below.length : gap).filter(isRecord)
  const all = below.filter(isRecord)
  const records = above.length < LEAST_ROWS ? all.slice(0, Math.ceil(all.length / 2)) : above
  if (records.length < LEAST_ROWS) return []
  return Array.from({ length: columns }, (_, column) => column).filter(column =>
    records.every(row => /\d/.test(row.cells[column] ?? ''))
  )
}

const PLACEHOLDER = /^(?:n\/?a|none|null|unknown|tbd|tba|pending|exempt|see .*)$/i

/**
 * Whether a row below a blank line begins another table: it holds names only, also in columns where records always have
 * digits.
 */
export function beginsTable(cells: readonly string[], digits: readonly number[]): boolean {
  if (!digits.some(column => (cells[column] ?? '').trim() !== '')) return false
  const filled = cells.map(cell => cell.trim()).filter(cell => cell !== '')
  const isNamed = filled.every(cell => !/\d/.test(cell) && /\p{L}/u.test(cell) && !PLACEHOLDER.test(cell))
  return filled.length > 1 && isNamed && new Set(filled).size === filled.length
}
