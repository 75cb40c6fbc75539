import { DELIMITERS, type Delimiter, type Dialect } from '../format.ts'
import type { Block } from '../text/block.ts'
import { findHeader, type HeaderOutcome, modalWidth } from './find-header.ts'
import { type SampleRow, sampleRows } from './sample.ts'

/** Records looked at: enough to tell a steady delimiter from commas in prose. */
const SAMPLED_ROWS = 100

export interface DialectChoice {
  readonly dialect: Dialect
  readonly rows: readonly SampleRow[]
  readonly header: HeaderOutcome
  /** Share of the sampled rows that are well formed and as wide as most. */
  readonly steadiness: number
}

export interface DialectHints {
  readonly delimiter?: Delimiter
  /** Declared columns: their number then tells the delimiter. */
  readonly columns?: readonly string[]
  readonly knownColumn?: (name: string) => boolean
}

/**
 * The dialect under which the head reads best: most known column names, then the steadiest width, then the widest rows.
 * How cells are quoted is decided after the delimiter, by the fewest faulty rows.
 */
export function detectDialect(block: Block, hints: DialectHints): DialectChoice {
  const delimiters = hints.delimiter === undefined ? DELIMITERS : [hints.delimiter]
  const choices = delimiters.map(delimiter => tryDialect(block, { delimiter, quote: '"', escape: 'double' }, hints))
  const best = choices.reduce((left, right) => (compare(right, left) > 0 ? right : left))
  if (best.steadiness === 1) return best
  const { delimiter } = best.dialect
  const others: readonly Dialect[] = [
    { delimiter, quote: '"', escape: 'backslash' },
    { delimiter, quote: null, escape: 'double' },
    { delimiter, quote: "'", escape: 'double' }
  ]
  return others
    .map(dialect => tryDialect(block, dialect, hints))
    .filter(choice => choice.header.kind === 'found' || best.header.kind === 'missing')
    .reduce((left, right) => (right.steadiness > left.steadiness ? right : left), best)
}

function tryDialect(block: Block, dialect: Dialect, hints: DialectHints): DialectChoice {
  const rows = sampleRows(block, dialect, SAMPLED_ROWS)
  const width = hints.columns?.length ?? modalWidth(rows)
  const steady = rows.filter(row => row.cells.length === width && !row.isFaulty && isCleanIn(dialect, row)).length
  return {
    dialect,
    rows,
    header: findHeader(rows, hints.knownColumn),
    steadiness: rows.length ? steady / rows.length : 0
  }
}

/** A quote mark at the head of a cell means quoting, whatever the dialect being tried says. */
function isCleanIn(dialect: Dialect, row: SampleRow): boolean {
  if (dialect.quote === '"') return true
  return !row.cells.some(cell => cell.trimStart().startsWith('"'))
}

function compare(left: DialectChoice, right: DialectChoice): number {
  return (
    knownIn(left) - knownIn(right) ||
    splitScore(left) - splitScore(right) ||
    modalWidth(left.rows) - modalWidth(right.rows)
  )
}

function knownIn(choice: DialectChoice): number {
  return choice.header.kind === 'found' ? choice.header.header.known : 0
}

/** A delimiter that never splits a row is steady for no reason. */
function splitScore(choice: DialectChoice): number {
  return modalWidth(choice.rows) > 1 ? choice.steadiness : 0
}
