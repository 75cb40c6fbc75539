import { DELIMITERS, type Delimiter, type Dialect } from '../format.ts'
import type { Block } from '../text/block.ts'
import { findHeader, type HeaderOutcome, modalWidth } from './find-header.ts'
import { type SampleRow, sampleRows } from './sample.ts'

/** Records looked at: enough to tell a steady delimiter from commas in prose. */
const SAMPLED_ROWS = 500

interface Tried {
  readonly dialect: Dialect
  readonly rows: readonly SampleRow[]
  readonly header: HeaderOutcome
  /** Share of the sampled rows that are well formed and as wide as most. */
  readonly steadiness: number
}

export interface DialectChoice extends Tried {
  /** What the other delimiters would have had for them, as evidence. */
  readonly others: Readonly<Record<string, string>>
}

export interface DialectHints {
  readonly delimiter?: Delimiter
  readonly quote?: Dialect['quote']
  readonly escape?: Dialect['escape']
  /** Declared columns: their number then tells the delimiter. */
  readonly columns?: readonly string[]
  readonly knownColumn?: (name: string) => boolean
}

/**
 * The dialect under which the head reads best: most known column names, then the steadiest width, then the widest rows.
 * How cells are quoted is decided after the delimiter, by the fewest faulty rows. What is declared is not tried.
 */
export function detectDialect(block: Block, hints: DialectHints): DialectChoice {
  const { quote = '"', escape = 'double' } = hints
  const declared = hints.quote === undefined ? {} : { isDeclared: true }
  const delimiters = hints.delimiter === undefined ? DELIMITERS : [hints.delimiter]
  const choices = delimiters
    .map(delimiter => tryDialect(block, { delimiter, quote, escape, ...declared }, hints))
    .toSorted((left, right) => compare(right, left))
  const [best = tryDialect(block, { delimiter: ',', quote, escape, ...declared }, hints)] = choices
  const chosen = best.steadiness === 1 ? best : bestQuoting(block, best, hints)
  return { ...chosen, others: Object.fromEntries(choices.slice(1).map(choice => evidenceOf(choice))) }
}

/** What spoke for a delimiter that was not chosen. */
function evidenceOf(choice: Tried): [string, string] {
  const { delimiter } = choice.dialect
  const name = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' }[delimiter]
  return [`steady_share_${name}`, splitScore(choice).toFixed(2)]
}

function bestQuoting(block: Block, best: Tried, hints: DialectHints): Tried {
  const { delimiter } = best.dialect
  const others: readonly Dialect[] = [
    { delimiter, quote: '"', escape: 'double', spaced: true },
    { delimiter, quote: '"', escape: 'backslash' },
    { delimiter, quote: null, escape: 'double' },
    { delimiter, quote: "'", escape: 'double' },
    { delimiter, quote: "'", escape: 'double', spaced: true }
  ]
  return others
    .filter(({ quote }) => hints.quote === undefined || hints.quote === quote)
    .filter(({ escape }) => hints.escape === undefined || hints.escape === escape)
    .map(dialect => tryDialect(block, hints.quote === undefined ? dialect : { ...dialect, isDeclared: true }, hints))
    .filter(choice => choice.header.kind === 'found' || best.header.kind === 'missing')
    .reduce((left, right) => (right.steadiness > left.steadiness ? right : left), best)
}

function tryDialect(block: Block, dialect: Dialect, hints: DialectHints): Tried {
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
  if (dialect.quote === '"' || dialect.isDeclared === true) return true
  return !row.cells.some(cell => cell.trimStart().startsWith('"'))
}

function compare(left: Tried, right: Tried): number {
  return (
    knownIn(left) - knownIn(right) ||
    splitScore(left) - splitScore(right) ||
    modalWidth(left.rows) - modalWidth(right.rows)
  )
}

function knownIn(choice: Tried): number {
  return choice.header.kind === 'found' ? choice.header.header.known : 0
}

/** A delimiter that never splits a row is steady for no reason. */
function splitScore(choice: Tried): number {
  return modalWidth(choice.rows) > 1 ? choice.steadiness : 0
}
