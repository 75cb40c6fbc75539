import { addDays, addMonths, daysBetween, endOfMonth } from '../../model/calendar.ts'
import { readTerm } from '../../normalize/dates/term.ts'
import type { Evidence } from '../find/evidence.ts'
import { originAt } from '../find/layout/prose.ts'
import { originOf } from '../find/layout/sheet.ts'
import { slotsOf, slotText } from '../find/layout/slots.ts'
import type { View } from '../find/view.ts'

/** A stated length of the term. */
export interface StatedTerm {
  /** Null when its words and digits disagree. */
  readonly months: number | null
  /** Months by the words and by the digits where they disagree. */
  readonly readings: readonly number[]
  readonly raw: string
  readonly origin: Evidence['origin'] | null
  /** Offset in the running text of a length stated in a sentence; null beside a label. */
  readonly at: number | null
}

/** `sixty (60) full calendar months`, `five years`, `ten (10) years and six (6) months`, `24 months`. */
const LENGTH =
  '(?:[a-z]{3,9}(?:[ -][a-z]{3,9}){0,3} ?\\(?|\\(?)(?:\\d{1,3}\\)?)? ?-?(?:full )?(?:consecutive )?(?:calendar |lease )?(?:months?|years?)\\b(?: and (?:[a-z]{3,9} ?)?(?:\\(?\\d{1,2}\\)?)? ?months?\\b)?'

const ONLY_LENGTH = new RegExp(`^(?:approximately )?${LENGTH}$`, 'i')

/** Words before a length that make it the term's. */
const ANNOUNCED = new RegExp(
  `(\\bterm(?: of (?:this|the) (?:lease|agreement|tenancy))?(?: hereof)?(?: \\([^)]{0,30}\\))?(?: (?:shall|will)(?: be| run| continue| extend)?| is| runs| continues)?(?: for)?(?: an?| the)?(?: initial| fixed)?(?: (?:period|term))?(?: of)? (?:approximately )?|\\b(?:lease|leased|premises|building|property|tenancy|tenant|lessee),? for (?:an? )?(?:initial |fixed )?(?:period|term|timeframe) of (?:approximately )?)(${LENGTH})`,
  'gi'
)
/** Words after a length that make it the term's. */
const FOLLOWED = new RegExp(
  `\\b(?:for|of) ()(${LENGTH}),? (?:lease |term )?(?:commenc(?:ing|es)|beginning|starting)\\b|()(\\b(?:\\d{1,3}|[a-z]{3,9}(?:-[a-z]{3,9})?)(?: \\(\\d{1,3}\\))?[ -](?:month|year)) (?:lease|rental|tenancy|initial)? ?(?:term|tenancy)\\b`,
  'gi'
)
/** Terms of renewals, notices and of other contracts are not the term of the lease. */
const OTHER_TERM =
  /\b(?:renew|exten|option|additional|successive|notice|guarant|insurance|warrant|surviv|sublet|sublease|contract|bond|minimum|maximum|remain|unexpired|original|previous|prior|probation)\w*[^.]{0,60}$/i
/** Where the words themselves say so. */
const OTHER_WORDS = /\b(?:renewal|extension|option|additional|successive|further)\b/i
/** A length that goes on (`five years, three (3) months`, `two years plus thirty days`) is more than what was read. */
const GOES_ON =
  /^,? ?(?:and |plus )?(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|thirty|sixty|ninety) ?)?(?:\(?\d{1,3}\)?)? ?(?:months?|days?|weeks?)\b/i
/** How far before a length the words that make it another are looked for, in characters. */
const BEFORE = 80
/** Lengths of one document looked at. */
const MOST = 60

function termOf(raw: string, at: number | null, origin: StatedTerm['origin']): StatedTerm | null {
  const { value, flags, readings = [] } = readTerm(raw)
  if (flags.includes('WORDS_DIGITS_MISMATCH')) return { months: null, readings, raw, origin, at }
  return value !== null && value > 0 ? { months: value, readings, raw, origin, at } : null
}

function inSentences(view: View, pattern: RegExp): StatedTerm[] {
  const { text } = view.prose
  return [...text.matchAll(pattern)].slice(0, MOST).flatMap(match => {
    const raw = match[2] ?? match[4] ?? ''
    if (GOES_ON.test(text.slice(match.index + match[0].length, match.index + match[0].length + 40))) return []
    const start = match.index + match[0].indexOf(raw)
    const words = match[0].slice(0, match[0].indexOf(raw))
    if (OTHER_WORDS.test(words) || OTHER_TERM.test(text.slice(Math.max(0, match.index - BEFORE), match.index)))
      return []
    const term = termOf(raw, match.index, originAt(view.prose, start, start + raw.length))
    return term ? [term] : []
  })
}

/** A length beside a label such as "Lease Term" holds nothing else. */
function besideLabels(view: View): StatedTerm[] {
  const hits = view.labels.hits.filter(hit => hit.key === 'term' || hit.key === 'period')
  return hits.slice(0, MOST).flatMap(hit => {
    for (const slot of slotsOf(view.labels, hit, view.sheet).slice(0, 2)) {
      const text = slotText(slot).replace(/[.,;]$/, '')
      const bare = /^\(?\d{1,3}\)?$/.test(text) && /month/i.test(hit.phrase) ? `${text} months` : text
      const isLength = ONLY_LENGTH.test(bare)
      const term = isLength ? termOf(bare, null, originOf(slot.segment, slot.from, slot.to)) : null
      if (term) return [{ ...term, raw: text }]
    }
    return []
  })
}

/** The first stated length of the term: beside its label, else in a sentence. */
export function statedTerm(view: View): StatedTerm | null {
  const [labelled] = besideLabels(view)
  if (labelled) return labelled
  const stated = [...inSentences(view, ANNOUNCED), ...inSentences(view, FOLLOWED)]
  return stated.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))[0] ?? null
}

/** A stated term as evidence for `term_months`. */
export function termEvidence(view: View): Evidence[] {
  const term = statedTerm(view)
  if (!term?.origin) return []
  const base = { field: 'term_months', raw: term.raw, origin: term.origin, score: 0.85, via: 'term' }
  if (term.months !== null) return [{ ...base, value: term.months, status: 'found', flags: [] }]
  const flags = ['WORDS_DIGITS_MISMATCH']
  return [{ ...base, value: null, status: 'ambiguous', flags, readings: term.readings }]
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
