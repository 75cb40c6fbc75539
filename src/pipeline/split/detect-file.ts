import type { RowFault } from '../../model/rows.ts'
import type { Profile } from '../../profiles/profile.ts'
import { knownColumn } from '../../profiles/tabular/column-index.ts'
import { namedColumns } from '../../profiles/tabular/expand-row.ts'
import { suggestFields } from '../../profiles/tabular/headings/suggest-columns.ts'
import { type SourceOptions, sentFields } from '../../profiles/tabular/source-options.ts'
import { detectFormat, type FormatOptions } from '../../tabular/detect-format.ts'
import type { FormatDecision, TabularFormat } from '../../tabular/format.ts'
import type { EncodingSurvey } from '../../tabular/text/survey.ts'

/** Bytes of a file that its format is decided on. */
export const HEAD_BYTES = 1_048_576

const JSON_TYPES = new Set(['application/json', 'application/x-ndjson'])
const DELIMITED_TYPES = new Set(['text/csv', 'text/tab-separated-values'])

/** Fewer columns that the profile knows are words that stand there by chance. */
const LEAST_KNOWN = 2

export interface FileHead {
  readonly mediaType: string
  readonly bytes: Buffer
  /** Whether these are all bytes of the file. */
  readonly whole: boolean
  /** What the bytes of the whole file tell of its encoding, where these are not all and do not tell it. */
  readonly survey?: EncodingSurvey | undefined
  /** The encoding declared with the submission: goes before what its source declares. */
  readonly encoding?: string | null
  /** Longest record that is read of it. */
  readonly recordBytes?: number
}

function formatOptions({ mediaType, whole, survey, encoding: sent }: FileHead, source: SourceOptions): FormatOptions {
  const isJson = JSON_TYPES.has(mediaType) ? true : DELIMITED_TYPES.has(mediaType) ? false : undefined
  const { delimiter, quote, escape, header } = source
  const encoding = sent ?? source.encoding
  return {
    whole,
    ...(survey === undefined ? {} : { survey }),
    ...(isJson === undefined ? {} : { isJson }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(quote === undefined ? {} : { quote }),
    ...(escape === undefined ? {} : { escape }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(header === undefined ? {} : { columns: header })
  }
}

/** What to do about a file without a header: the columns that come close to fields, and how to declare them. */
function withoutHeader(profile: Profile, head: FileHead, options: FormatOptions): FormatDecision {
  const guess = detectFormat(head.bytes, options)
  const names = guess.ok && guess.format.kind === 'delimited' ? guess.format.columns : []
  const close = suggestFields(profile, names)
  return { ok: false, fault: headerMissing(close, lineOf(guess)) }
}

const headerMissing = (close: readonly string[], line: number): RowFault => ({
  code: 'HEADER_MISSING',
  detail: close.length > 0 ? `on line ${line} ${close.join(', ')}` : 'no row comes close to one'
})

const lineOf = (decision: FormatDecision): number =>
  decision.ok && decision.format.kind === 'delimited' ? (decision.format.headerLine ?? 1) : 1

/**
 * Decides how a data file is read, from its first bytes. What its source declares goes before what is found. A file in
 * which no row names two columns of the profile or of the source has no header: `HEADER_MISSING`, with suggestions.
 */
export function detectFile(profile: Profile, head: FileHead, source: SourceOptions = {}): FormatDecision {
  const own = namedColumns(source)
  const options = formatOptions(head, source)
  const { recordBytes } = head
  const decision = detectFormat(head.bytes, { ...options, knownColumn: name => knownColumn(profile, name, own) })
  if (!decision.ok) {
    const isMissing = decision.fault.code === 'HEADER_MISSING' && decision.fault.detail === undefined
    return isMissing ? withoutHeader(profile, head, options) : decision
  }
  if (!isHeader(profile, source, decision.format)) return withoutHeader(profile, head, options)
  return { ok: true, format: { ...decision.format, ...(recordBytes === undefined ? {} : { recordBytes }) } }
}

/** Whether the columns of a table are enough of the profile's or the source's to be a header. */
function isHeader(profile: Profile, source: SourceOptions, format: TabularFormat): boolean {
  if (format.kind === 'json' || format.headerLine === null) return true
  const own = namedColumns(source)
  const known = format.columns.filter(name => knownColumn(profile, name, own)).length
  return known >= Math.min(LEAST_KNOWN, sentFields(profile).length)
}

/** The same of a sheet, whose format was decided while it was unpacked. */
export function checkSheet(profile: Profile, decision: FormatDecision, source: SourceOptions = {}): FormatDecision {
  if (!decision.ok || decision.format.kind !== 'sheet' || isHeader(profile, source, decision.format)) return decision
  const { columns, headerLine } = decision.format
  return { ok: false, fault: headerMissing(suggestFields(profile, columns), headerLine) }
}

/** Reasons of a whole file are told once, with the file and not with a row. */
export const fileFault = (code: RowFault['code'], detail?: string): RowFault =>
  detail === undefined ? { code } : { code, detail }
