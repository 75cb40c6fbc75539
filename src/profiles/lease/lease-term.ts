import { readNumberWords } from '../../normalize/amounts/number-words.ts'
import { addDays, addMonths, daysBetween, endOfMonth } from '../../normalize/dates/calendar.ts'
import type { Evidence } from '../find/evidence.ts'
import { originAt } from '../find/layout/prose.ts'
import type { View } from '../find/view.ts'

/** A stated length of the term, in months. Null when its words and digits disagree. */
export interface StatedTerm {
  readonly months: number | null
  /** Where it stands in the running text. */
  readonly at: number
  readonly evidence: Evidence | null
}

const TERM =
  /\b(?:(?:initial |lease |fixed |base )?term(?: of (?:this|the) (?:lease|agreement))?(?: hereof)?(?: shall be| is| will be)?(?: for)?(?: a (?:period|term))? of|(?:lease|premises|building) for a (?:fixed )?(?:period|timeframe) of|term: ?) (?:approximately )?([a-z]+(?:[ -][a-z]+)?)? ?\(?(\d{1,3})?\)? ?(?:full )?(?:consecutive )?(?:calendar )?(months?|years?)\b/gi
const TWELVES = /^year/i
/** Terms of renewals, notices and of other contracts are not the term of the lease. */
const OTHER_TERM = /\b(?:renew|exten|option|additional|successive|notice|guarant|insurance|warrant)\w*[^.]{0,60}$/i

function wordsOf(text: string | undefined): number | null {
  const words = text === undefined ? null : (readNumberWords(text) ?? readNumberWords(text.split(' ').at(-1) ?? ''))
  return words && words.whole > 0n && words.whole < 1200n ? Number(words.whole) : null
}

/** The first stated length of the term. */
export function statedTerm(view: View): StatedTerm | null {
  const { text } = view.prose
  for (const match of text.matchAll(TERM)) {
    if (OTHER_TERM.test(text.slice(Math.max(0, match.index - 80), match.index))) continue
    const words = wordsOf(match[1])
    const digits = match[2] === undefined ? null : Number(match[2])
    const count = digits ?? words
    if (count === null || count === 0) continue
    const unit = TWELVES.test(match[3] ?? '') ? 12 : 1
    if (words !== null && digits !== null && words !== digits) return { months: null, at: match.index, evidence: null }
    const origin = originAt(view.prose, match.index, match.index + match[0].length)
    const months = count * unit
    if (!origin) return { months, at: match.index, evidence: null }
    const evidence: Evidence = {
      field: 'term_months',
      value: months,
      raw: match[0],
      origin,
      status: 'found',
      flags: [],
      score: 0.85,
      via: 'term'
    }
    return { months, at: match.index, evidence }
  }
  return null
}

/** The last day of a term: start + n months − 1 day. */
export function termEnd(start: string, months: number): string {
  return addDays(addMonths(start, months), -1)
}

/** True when an end fits the term: its last day, the day after, or rolled to the end of its month. */
export function endFitsTerm(start: string, end: string, months: number): boolean {
  const last = termEnd(start, months)
  return Math.abs(daysBetween(last, end)) <= 1 || endOfMonth(last) === end
}
