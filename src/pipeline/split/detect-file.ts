import type { RowFault } from '../../model/rows.ts'
import type { Profile } from '../../profiles/profile.ts'
import { knownColumn } from '../../profiles/tabular/column-index.ts'
import { detectFormat } from '../../tabular/detect-format.ts'
import type { FormatDecision } from '../../tabular/format.ts'

/** Bytes of a file that its format is decided on. */
export const HEAD_BYTES = 1_048_576

const JSON_TYPES = new Set(['application/json', 'application/x-ndjson'])
const DELIMITED_TYPES = new Set(['text/csv', 'text/tab-separated-values'])

/** Decides how a data file is read, from its first bytes. `whole`: these are all of them. */
export function detectFile(profile: Profile, mediaType: string, head: Buffer, whole: boolean): FormatDecision {
  const isJson = JSON_TYPES.has(mediaType) ? true : DELIMITED_TYPES.has(mediaType) ? false : undefined
  return detectFormat(head, {
    whole,
    knownColumn: name => knownColumn(profile, name),
    ...(isJson === undefined ? {} : { isJson })
  })
}

/** Reasons of a whole file are told once, with the file and not with a row. */
export const fileFault = (code: RowFault['code'], detail?: string): RowFault =>
  detail === undefined ? { code } : { code, detail }
