import type { Reason } from '../../model/reasons.ts'

/** The column that makes a file an errors file that comes back: which held record a row settles. */
export const RECORD_ID_COLUMN = '_record_id'

/** What an errors file adds behind the columns of its source. Read back are only the ids. */
export const OWN_COLUMNS = [RECORD_ID_COLUMN, '_line', '_codes', '_messages'] as const

const isOwn = (name: string): boolean => (OWN_COLUMNS as readonly string[]).includes(name)

/** Whether a file with these columns is an errors file that comes back. */
export const isErrorsFile = (columns: readonly string[]): boolean => columns.includes(RECORD_ID_COLUMN)

/** The source's own columns of a file that may be an errors file. */
export const sourceColumns = (columns: readonly string[]): readonly string[] =>
  isErrorsFile(columns) ? columns.filter(name => !isOwn(name)) : columns

/** Longest text as sent that a message repeats; spreadsheets cut cells a little above. */
const MAX_SENT = 8000

/** The cells of those columns for one record. `sent`: a row that could not be cut into cells, as it was sent. */
export function ownCells(
  record: { readonly id: string | null; readonly line: number | null; readonly reasons: readonly Reason[] },
  sent?: string
): string[] {
  const messages = record.reasons.map(({ field, message }) => (field ? `${field}: ${message}` : message))
  if (sent !== undefined) messages.push(`As sent: ${sent.slice(0, MAX_SENT)}`)
  return [
    record.id ?? '',
    record.line === null ? '' : String(record.line),
    record.reasons.map(reason => reason.code).join(' '),
    messages.join(' | ')
  ]
}
