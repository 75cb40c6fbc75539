import type { ReasonCode } from '../model/reasons.ts'
import { detectDialect } from './delimited/detect-dialect.ts'
import { lineEnds } from './delimited/line-ends.ts'
import { areMarked } from './delimited/no-records/commented-out.ts'
import { digitColumns } from './delimited/no-records/summary.ts'
import { paddedWidths } from './delimited/padded-widths.ts'
import { type Delimiter, type Dialect, type FormatDecision, MAX_COLUMNS } from './format.ts'
import { detectJson } from './json/detect-json.ts'
import { Block } from './text/block.ts'
import { detectEncoding, type EncodingDecision, encodingByHead, encodingBySurvey } from './text/detect-encoding.ts'
import { unitBytes } from './text/encodings.ts'
import type { EncodingSurvey } from './text/survey.ts'

export interface FormatOptions {
  /** Whether `head` is the whole file. */
  readonly whole: boolean
  /** Declared encoding label, e.g. the charset of a content type. */
  readonly encoding?: string
  /** The bytes of the whole file, where `head` is not: they decide an encoding that the head does not tell. */
  readonly survey?: EncodingSurvey
  readonly delimiter?: Delimiter
  /** Declared quote mark; null where quote marks are ordinary characters. */
  readonly quote?: Dialect['quote']
  readonly escape?: Dialect['escape']
  /** Declared columns of a file without a header row. */
  readonly columns?: readonly string[]
  /** True when the file is said to be JSON (or not): otherwise its first character decides. */
  readonly isJson?: boolean
  /** Whether a column of this name means something to the profile: finds the header row. */
  readonly knownColumn?: (name: string) => boolean
}

/**
 * How a data file is to be read, decided once by its first bytes (up to 1 MB), or the fault of the whole file:
 * `FILE_EMPTY`, `HEADER_MISSING`, `ROW_UNPARSABLE` (too many columns). Deterministic.
 */
export function detectFormat(head: Buffer, options: FormatOptions): FormatDecision {
  const decided = decideEncoding(head, options)
  const text = head.subarray(decided.bomBytes)
  const unit = unitBytes(decided.encoding)
  const block = new Block(text.subarray(0, text.length - (text.length % unit)), decided.encoding, options.whole)
  if (isBlank(block)) return fault('FILE_EMPTY')
  return detectJson(block, decided, options) ?? detectDelimited(block, decided, options)
}

function decideEncoding(head: Buffer, { encoding, survey }: FormatOptions): EncodingDecision {
  const told = encodingByHead(head, encoding)
  if (told !== null) return told
  return survey === undefined ? detectEncoding(head) : encodingBySurvey(survey)
}

function isBlank(block: Block): boolean {
  return block.codes.every(code => code <= 32 && code !== 0)
}

function detectDelimited(block: Block, decided: EncodingDecision, options: FormatOptions): FormatDecision {
  const { columns } = options
  const choice = detectDialect(block, options)
  const base = { kind: 'delimited', encoding: decided.encoding, dialect: choice.dialect } as const
  const evidence = {
    encoding: decided.evidence,
    sampled_rows: choice.rows.length,
    steady_share: choice.steadiness.toFixed(2),
    line_ends: lineEnds(block),
    ...choice.others
  }
  if (columns) {
    const padded = paddedWidths(columns.length, null, choice.rows)
    const digits = digitColumns(columns.length, null, choice.rows)
    const format = {
      ...base,
      columns,
      padded,
      digits,
      marked: areMarked(null, choice.rows),
      headerLine: null,
      dataOffset: decided.bomBytes,
      dataLine: 1,
      evidence
    }
    return { ok: true, format }
  }
  if (choice.header.kind === 'missing') return fault('HEADER_MISSING', choice.header.detail)
  const { header } = choice.header
  if (header.columns.length > MAX_COLUMNS) return fault('ROW_UNPARSABLE', `more than ${MAX_COLUMNS} columns`)
  return {
    ok: true,
    format: {
      ...base,
      columns: header.columns,
      padded: paddedWidths(header.columns.length, header.row, choice.rows),
      digits: digitColumns(header.columns.length, header.row, choice.rows),
      marked: areMarked(header.row, choice.rows),
      headerLine: header.row.line,
      dataOffset: decided.bomBytes + header.row.end * block.unit,
      dataLine: header.row.lineAfter,
      evidence: { ...evidence, known_columns: header.known, lines_above_header: header.row.line - 1 }
    }
  }
}

function fault(code: ReasonCode, detail?: string): FormatDecision {
  return { ok: false, fault: detail === undefined ? { code } : { code, detail } }
}
