import { readDate } from '../../normalize/date.ts'
import type { Evidence } from '../find/evidence.ts'
import type { LabelHit } from '../find/layout/labels.ts'
import { belowOf, rightOf } from '../find/layout/neighbours.ts'
import { originAt, segmentAt } from '../find/layout/prose.ts'
import { originOf, type Segment, segmentsWithin } from '../find/layout/sheet.ts'
import { slotsOf, slotText } from '../find/layout/slots.ts'
import { type PeriodFields, periodEvidence, readPeriod, spanFit } from '../find/period.ts'
import { wholeMonths } from '../find/values/calendar.ts'
import { findDates, type Mention } from '../find/values/mentions.ts'
import type { View } from '../find/view.ts'

/** Policies run up to three years; 1,100 days leaves room for odd ends. */
export const POLICY_PERIOD: PeriodFields = { start: 'effective_date', end: 'expiration_date', longestDays: 1100 }

interface Sentence {
  readonly field: 'effective_date' | 'expiration_date'
  readonly pattern: RegExp
}

/** Sentences that say when cover begins or ends. What follows within a few words is the date. */
const SENTENCES: readonly Sentence[] = [
  {
    field: 'effective_date',
    pattern:
      /\b(?:your |the )?(?:coverage|policy|cover|insurance) (?:begins|starts|commences|is effective|takes effect)(?: on| from)?[: ]/gi
  },
  { field: 'effective_date', pattern: /\binsurance is effective from /gi },
  { field: 'effective_date', pattern: /\bpolicy effective date is /gi },
  {
    field: 'expiration_date',
    pattern: /\b(?:it|policy|coverage|cover|insurance) (?:expires|ends|will expire|terminates)(?: on| at)?[: ]/gi
  }
]

/** The date may stand this many characters after the words that announce it. */
const REACH = 26

/** Words and date stand on one line or on lines that follow one another in one column; headings over columns do not. */
function isOneLine(view: View, words: number, date: number): boolean {
  const [a, b] = [segmentAt(view.prose, words), segmentAt(view.prose, date)]
  const [from, to] = [view.prose.segments[a], view.prose.segments[b]]
  if (!from || !to || b - a > 1) return false
  return a === b || (Math.abs(from.box[0] - to.box[0]) < 0.02 && from.tokens.length > 4)
}

/** Dates that sentences of the document state. */
export function sentenceDates(view: View): Evidence[] {
  const { text } = view.prose
  return SENTENCES.flatMap(({ field, pattern }) =>
    [...text.matchAll(pattern)].slice(0, 20).flatMap(match => {
      const from = match.index + match[0].length
      const mention = findDates(text.slice(from, from + REACH + 30))[0]
      if (!mention || mention.start > REACH) return []
      const start = from + mention.start
      const origin = originAt(view.prose, start, from + mention.end)
      if (!origin || !isOneLine(view, match.index, start)) return []
      const reading = readDate(mention.raw, view.context)
      const evidence: Evidence = {
        field,
        value: reading.value,
        raw: mention.raw,
        origin,
        status: reading.status,
        flags: reading.flags,
        score: 0.9,
        via: 'sentence'
      }
      return [evidence]
    })
  )
}

/** `Effective from 1 May 2024 to 1 May 2025`: a label of one date with both behind it. */
function isSpan(hit: LabelHit, view: View): boolean {
  if (hit.key !== 'effective_date') return false
  const [slot] = slotsOf(view.labels, hit, view.sheet)
  const text = slot ? slotText(slot) : ''
  const [first, second] = findDates(text)
  return (
    first !== undefined &&
    second !== undefined &&
    /^(?: at [^;]{1,30}?)?,? ?(?:to|through|thru|until|-|–|—)(?: and including)? ?$/i.test(
      text.slice(first.end, second.start)
    )
  )
}

/** Both dates behind every label that announces a period. */
export function labelledPeriods(view: View): Evidence[] {
  return view.labels.hits
    .filter(hit => hit.key === 'period' || isSpan(hit, view))
    .slice(0, 40)
    .flatMap(hit => periodEvidence(hit, view, POLICY_PERIOD))
}

/** `Insurance attaches 1 May 2024 and ends 1 May 2025`: begin and end in one sentence. */
const ATTACHES =
  /\b(?:(?:insurance|coverage|policy|cover) (?:attaches|begins|starts|commences|incepts|takes effect)|(?:term|period)[^.;:$]{0,40}?,? (?:which |that )?(?:begins|starts|commences)|(?:begins|starts|commences|incepts) at 12:01)(?: on| from| at)?:? (?=\d|[a-z])/gi
const AND_ENDS =
  /^,? (?:at [^,;]{3,30}? )?(?:and|,) (?:it )?(?:ends|expires|terminates|ceases|runs (?:to|until|through))(?: (?:on|at)(?: 12:01 a\.?m\.?,?(?: standard time)?(?: on)?)?)? $/i

/** Before the first date may stand an hour of the day: `at 12:01 a.m. standard time on`. In characters. */
const LEAD_IN = 34

/** Periods that one sentence begins and ends. */
export function attachedPeriods(view: View): Evidence[] {
  const { text } = view.prose
  return [...text.matchAll(ATTACHES)].slice(0, 10).flatMap(match => {
    const from = match.index + match[0].length
    const [first, second] = findDates(text.slice(from, from + 110))
    if (!first || !second || first.start > LEAD_IN) return []
    const between = text.slice(from + first.end, from + second.start)
    return AND_ENDS.test(between) ? periodAt(view, from, first, second) : []
  })
}

/** `07/01/2026 to 07/01/2027` in running text, with the words that make it a policy's period close before it. */
const RANGE = /\bfrom:? (?=\d|[a-z])/gi

const ANNOUNCES =
  /\b(?:policy|coverage|insurance) (?:period|term)\b|\bterm is\b|\bin force ?$|\b(?:for|during) (?:the|a) (?:policy )?(?:period|term)(?: of [a-z0-9() ]{2,24})?,? ?$|\b(?:policy|coverage|cover|insurance|certificate) (?:is|will be|shall be|remains|runs)(?: (?:effective|valid|in (?:force|effect)))? ?$/

/** Periods written `From … To …` without a label of their own. */
export function fromToPeriods(view: View): Evidence[] {
  const { text } = view.prose
  return [...text.matchAll(RANGE)].slice(0, 60).flatMap(match => {
    const before = text.slice(Math.max(0, match.index - 60), match.index).toLowerCase()
    if (!ANNOUNCES.test(before)) return []
    const from = match.index + match[0].length
    const [first, second] = findDates(text.slice(from, from + 110))
    if (!first || !second || first.start > 30) return []
    return periodAt(view, from, first, second)
  })
}

/** Both dates of a period that stand at these places of the running text. */
function periodAt(view: View, from: number, first: Mention, second: Mention): Evidence[] {
  const { start, end, decided } = readPeriod(first.raw, second.raw, view.context)
  const fit = spanFit(start.value, end.value, POLICY_PERIOD.longestDays)
  if (fit === 0) return []
  return [
    { field: POLICY_PERIOD.start, reading: start, mention: first },
    { field: POLICY_PERIOD.end, reading: end, mention: second }
  ].flatMap(({ field, reading, mention }) => {
    const origin = originAt(view.prose, from + mention.start, from + mention.end)
    if (!origin) return []
    const flags = decided ? [...reading.flags, 'DATE_ORDER_FROM_PERIOD'] : reading.flags
    const evidence: Evidence = {
      field,
      value: reading.value,
      raw: mention.raw,
      origin,
      status: reading.status,
      flags,
      score: 0.92 * fit,
      via: 'from-to'
    }
    return [reading.readings ? { ...evidence, readings: reading.readings } : evidence]
  })
}

/** What an expiration gains that stands whole half-years after the effective date, and loses when another one does. */
const TERM_BONUS = 0.04
const TERM_LOSS = 0.12
/** An effective date as sure as this is taken for the start of the term. */
const SURE = 0.85

/** What two labelled dates gain that are a usual term apart; each alone may be weakly labelled (`Eff`, `Ends`). */
const PAIR_BONUS = 0.1
const LABELLED = 0.65

function bearOut(evidence: readonly Evidence[]): Evidence[] {
  const isDate = ({ field, value, score }: Evidence, of: string): boolean =>
    field === of && typeof value === 'string' && score >= LABELLED
  const isTerm = ({ value: from }: Evidence, { value: to }: Evidence): boolean => {
    const months = typeof from === 'string' && typeof to === 'string' ? wholeMonths(from, to) : null
    return months === 6 || months === 12
  }
  const starts = evidence.filter(piece => isDate(piece, 'effective_date'))
  const ends = evidence.filter(piece => isDate(piece, 'expiration_date'))
  return evidence.map(piece => {
    const isBorneOut =
      (starts.includes(piece) && ends.some(end => isTerm(piece, end))) ||
      (ends.includes(piece) && starts.some(start => isTerm(start, piece)))
    return isBorneOut ? { ...piece, score: Math.min(1, piece.score + PAIR_BONUS) } : piece
  })
}

/** `Policy Inception` beside a policy period that begins later is the day of the first of all terms. */
function isFirstInception({ field, via, value }: Evidence, starts: readonly Evidence[]): boolean {
  if (field !== 'effective_date' || !/\bInception\b.*\//.test(via) || typeof value !== 'string') return false
  return starts.some(other => other.via.endsWith('/period') && typeof other.value === 'string' && other.value > value)
}

/** Of several expirations the one that closes a usual term is the policy's; others are a certificate's, a permit's, an alarm's. */
export function agreeTerm(all: readonly Evidence[]): Evidence[] {
  const evidence = bearOut(all)
  const starts = evidence.filter(piece => piece.field === 'effective_date' && piece.score >= SURE)
  const monthsTo = (end: Evidence): (number | null)[] =>
    starts.map(start =>
      typeof start.value === 'string' && typeof end.value === 'string' ? wholeMonths(start.value, end.value) : null
    )
  const fits = (end: Evidence): boolean => monthsTo(end).some(months => months === 6 || months === 12)
  const sureEnds = evidence.filter(piece => piece.field === 'expiration_date' && piece.score >= SURE)
  const opens = (start: Evidence): boolean =>
    sureEnds.some(({ value: to }) => {
      const months = typeof start.value === 'string' && typeof to === 'string' ? wholeMonths(start.value, to) : null
      return months === 6 || months === 12
    })
  const opening = new Set(starts.filter(opens))
  const isOfOtherTerm = (piece: Evidence): boolean =>
    (opening.size > 0 && piece.field === 'effective_date' && piece.value !== null && !opens(piece)) ||
    isFirstInception(piece, starts)
  const ends = evidence.filter(piece => piece.field === 'expiration_date' && piece.value !== null)
  const fitting = new Set(ends.filter(fits))
  if (fitting.size === 0) return [...evidence]
  return evidence.map(piece => {
    if (fitting.has(piece)) return { ...piece, score: Math.min(1, piece.score + TERM_BONUS) }
    return ends.includes(piece) || isOfOtherTerm(piece) ? { ...piece, score: piece.score - TERM_LOSS } : piece
  })
}

/** The words alone, or with the date right behind them. */
const HEAD_FROM = /^from:?(?: [^a-z]{6,20}| [a-z]{3,9}\.? \d{1,2},? \d{4})?$/i
const HEAD_TO = /^(?:to|until):?(?: [^a-z]{6,20}| [a-z]{3,9}\.? \d{1,2},? \d{4})?$/i

/** `FROM` and `TO` over two dates of one row, beside or below words for a period. */
export function columnPeriods(view: View): Evidence[] {
  return view.sheet.segments.flatMap(from => {
    const isEffective = isEffectiveHead(view, from)
    if (!isEffective && !HEAD_FROM.test(from.text)) return []
    const to = rightOf(view.sheet, from).find(segment => HEAD_TO.test(segment.text))
    if (!to || !(isEffective || isPeriodNear(view, from))) return []
    const [start, end] = [dateBelow(view, from), dateBelow(view, to)]
    if (!start || !end) return []
    const { start: first, end: second, decided } = readPeriod(start.raw, end.raw, view.context)
    const fit = spanFit(first.value, second.value, POLICY_PERIOD.longestDays)
    if (fit === 0) return []
    return [
      { field: POLICY_PERIOD.start, reading: first, place: start },
      { field: POLICY_PERIOD.end, reading: second, place: end }
    ].map(({ field, reading, place }) => {
      const flags = decided ? [...reading.flags, 'DATE_ORDER_FROM_PERIOD'] : reading.flags
      const { value, status } = reading
      const evidence: Evidence = { ...place, field, value, status, flags, score: 0.95 * fit, via: 'columns' }
      return reading.readings ? { ...evidence, readings: reading.readings } : evidence
    })
  })
}

/** `Effective:` over a date of its own, with `To:` beside it. */
function isEffectiveHead(view: View, { index, tokens }: Segment): boolean {
  const [hit] = view.labels.bySegment.get(index) ?? []
  return hit?.key === 'effective_date' && hit.from === 0 && hit.to === tokens.length
}

function dateBelow(view: View, head: Segment): { raw: string; origin: Evidence['origin'] } | null {
  const [own] = findDates(head.text)
  if (own) return { raw: own.raw, origin: originOf(head) }
  const below = belowOf(view.sheet, head)[0]
  const mention = below ? findDates(below.text)[0] : undefined
  return below && mention && mention.start < 4 ? { raw: mention.raw, origin: originOf(below) } : null
}

/** Words for a period on the row of the heads or right above it. */
function isPeriodNear(view: View, { page, box }: Segment): boolean {
  const height = box[3] - box[1]
  return segmentsWithin(view.sheet, page, box[1] - height * 4.5, box[3]).some(
    segment => segment.box[1] <= box[3] && /\b(?:policy|coverage|insurance) (?:period|term)\b/i.test(segment.text)
  )
}
