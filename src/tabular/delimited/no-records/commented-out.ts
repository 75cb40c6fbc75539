import type { Block } from '../../text/block.ts'
import type { SampleRow } from '../sample.ts'

/** What lines begin with that are to be passed over, in one program or another, before something that is text. */
const MARK = /^[ \t]*(?:#|\/\/|--|;|%|!)[ \t]*[\p{L}\d]/u
/** As many units of a line are looked at. */
const HEAD = 16
const FIRST_UNITS = new Set(Buffer.from(' \t#/-;%!'))

/** Why a row is held whose line begins as one does that was taken out of the file: it may count, and may not. */
export const COMMENTED_OUT = 'its line begins as one that was taken out of the file'

/**
 * Whether the lines of a file begin so by habit, as where numbers are written `#2024-17`: all but one in ten of the
 * sampled ones, or the header itself.
 */
export function areMarked(header: SampleRow | null, rows: readonly SampleRow[]): boolean {
  const begins = (row: SampleRow): boolean => MARK.test(row.cells[0] ?? '')
  const below = rows.filter(row => !row.isFaulty && (header === null || row.start > header.start))
  return (header !== null && begins(header)) || below.filter(begins).length * 10 > below.length * 9
}

/** Whether the line at `start` begins with a sign of comments and goes on with text. A quoted cell does not. */
export function isCommentedOut(block: Block, start: number, end: number): boolean {
  if (!FIRST_UNITS.has(block.codes[start] ?? 0)) return false
  return MARK.test(block.show(start, Math.min(end, start + HEAD)))
}
