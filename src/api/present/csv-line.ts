import type { Profile } from '../../profiles/profile.ts'
import type { RecordBody } from './schemas.ts'

/** Columns before the profile's own; their names cannot be names of fields. */
const OWN_COLUMNS = ['_record_id', '_file', '_row', '_line', '_state', '_codes'] as const

/** Spreadsheets run what begins like this; a plain number may. */
const FORMULA = /^[=+\-@\t\r\0]/
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** One cell: quoted where needed, and never something a spreadsheet runs. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The header line of a batch's results. */
export const csvHeader = (profile: Profile): string =>
  `${[...OWN_COLUMNS, ...Object.keys(profile.fields)].map(csvCell).join(',')}\r\n`

/** One record as a line under that header: normalized values, lists as JSON. */
export function csvLine(profile: Profile, record: RecordBody): string {
  const codes = record.reasons.map(reason => reason.code).join(' ')
  const own = [record.id, record.filename, record.row, record.line, record.state, codes]
  const values = Object.keys(profile.fields).map(name => record.fields[name]?.value)
  return `${[...own, ...values].map(value => csvCell(textOf(value))).join(',')}\r\n`
}
