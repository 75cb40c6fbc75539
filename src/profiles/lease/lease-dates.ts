import { addDays } from '../../model/calendar.ts'
import { readDate } from '../../normalize/date.ts'
import type { Evidence } from '../find/evidence.ts'
import { originAt } from '../find/layout/prose.ts'
import { type PeriodFields, periodEvidence, readPeriod, spanFit } from '../find/period.ts'
import { findDates, type Mention } from '../find/values/mentions.ts'
import type { View } from '../find/view.ts'
import { CUES, type Cue, WITHIN } from './lease-date-cues.ts'

/** Ground leases run for 99 years; nothing longer is a term. */
export const LEASE_PERIOD: PeriodFields = { start: 'lease_start', end: 'lease_end', longestDays: 36_200 }

/** `for a term from <date> through <date>`: the words before the first date make the second the end. */
const FROM_DATE = new RegExp(
  `\\b(?:term|lease|leases|sublease|tenancy|premises|house|apartment|dwelling|shop|store|to hold|renewed|extended)\\b${WITHIN}{0,200}\\bfrom (?:and including )?[^.;]{0,24}$`,
  'i'
)
const THROUGH = /^,? ?(?:\(?["“][^"”]{0,30}["”]\)?,? ?)?(?:through|thru|to|until|till|up to)(?: and including)? $/i
const OTHER_SPAN = /\b(?:renew|option|exten|rent|abate|increase|schedule)\w*\b[^.;]{0,60}$/i

/** Words before a date that make it another date, whatever else stands there. */
const OTHER_BEFORE =
  /\b(?:rent commencement|installment|payable|paid|payment|renew|option|extension|extend|notice|dated|prior to|deliver|possession|increase|adjust|insurance|prorated|birth)\b[^.;]{0,40}$/i

/** `if notice is given by April 1, the tenancy ends May 31, 2024`: an end that nobody has chosen yet. */
const IF_NOTICE = /\bif\b[^.;]{0,80}\bnotice\b[^.;]{0,110}$/i
const OF_NOTICE = /\bif\b[^.;]{0,80}\bnotice\b/i

/** `which expires on May 31, 2024, is extended`: the end that was. */
const CHANGED_FROM = /\b(?:changed|moved|extended|amended|advanced|postponed) from $/i
/** `the Expiration Date is changed from May 31, 2024 to May 31, 2029`: the second date is the end. */
const END_MOVED =
  /\b(?:expiration|termination|ending) date\b[^.;]{0,80}\b(?:changed|moved|extended|amended|modified|revised|advanced) from [^.;]{6,24}$/i
/** `the Term is extended from June 1, 2024 to May 31, 2029`: the first date is a start where the two make a whole term. */
const TERM_MOVED =
  /\b(?:term|lease)\b[^.;]{0,60}\b(?:extended|renewed)(?: [a-z]+){0,3}? (?:from|for (?:the|an?) (?:[a-z]+ )?(?:period|term)(?: of| from)?) $/i
const TO_END =
  /^,? ?(?:through|thru|to|until)(?: and including)? (?:an? |the )?(?:new )?(?:(?:lease )?(?:expiration|termination) date (?:of|being) )?$/i
const MOVED =
  /^,? (?:is|are|shall be|has been|was) (?:hereby )?(?:extended|renewed|amended|changed|modified|deleted)\b/i

/** `is scheduled to expire on`, `currently expires`: an end that this document is about to move. */
const END_THAT_WAS =
  /\b(?:(?:scheduled|set|due|was|were) to (?:expire|end|terminate)|predecessor\b[^.;]{0,120}\bterm (?:ending|expiring)|(?:currently|presently|previously|now) (?:scheduled to )?(?:expires?|ends?|terminates?)|(?:would|will) otherwise (?:expire|end|terminate)|expired|prime lease|master lease)\b[^.;]{0,40}$/i

/** Years that are counted for taxes and costs, not for the term. */
const OTHER_YEAR = /\b(?:base|fiscal|tax|comparison|calendar|operating) year\b[^.;]{0,80}$/i

/** Dates looked at, and how much text around each counts. */
const MOST_DATES = 300
const BEFORE = 260
const AFTER = 45

/** Words of other spans in a document whose own term is one of them. */
const MOVES = /\b(?:renew\w*|exten(?:d|sion|ds|ded|ding))\b/gi

/** An amendment speaks of the term it makes: renewed, extended. */
export const isAmendment = (text: string): boolean =>
  /\b(?:amendment|addendum|(?:extension|renewal|modification) (?:agreement|of (?:the |that |your )?(?:[a-z]+ )?(?:lease|sublease|tenancy))|lease (?:extension|renewal|modification)|agreement (?:extending|amending|renewing))\b/i.test(
    text.slice(0, 240)
  )

/** `(the "Extension Term")`, `shall be deemed the "Term"` behind two dates makes them the term. */
const CALLED_TERM =
  /^(?: at [^"“.;]{4,24}|,? both dates inclusive)?[ ,)]*(?:\((?:the |hereinafter[^"“]{0,24})?|(?:shall be|is|are) (?:(?:hereinafter |herein )?(?:deemed|called|referred to as|defined as|known as) )?(?:the )?)["“](?:(?:first|second|third|fourth|fifth|lease|initial|sub-?lease|extension|extended|renewal|renewed|new) ){0,4}(?:term|period)[.,]?["”]/i
const AND_ENDS =
  /^,? ?(?:["“(]{1,2}[^"”]{0,40}["”)]{1,2},? ?)?(?:and )?(?:through|thru|to|until|(?:ending|expiring|terminating|continuing)(?: on| through| until)?)(?: and including)? (?:midnight (?:on|of) |11:59 p\.m\. on )?$/i
const OF_OPTION = /\b(?:option|may|right to)\b[^.;]{0,160}$/i

/** Two dates of one sentence that are the term's: it is extended from the one to the other, or they are called it. */
function termPair(text: string, first: Mention, second: Mention): number | null {
  const before = text.slice(Math.max(0, first.start - BEFORE), first.start)
  const between = text.slice(first.end, second.start)
  if (between.length > BETWEEN || OF_OPTION.test(before) || !isWholeTerm(first.raw, second.raw)) return null
  if (CALLED_TERM.test(text.slice(second.end, second.end + 110)) && AND_ENDS.test(between)) return CALLED
  return TERM_MOVED.test(before) && TO_END.test(between) ? MOVED_BY : null
}

/** `(the "Initial Term")` in an amendment: the term that was. */
const TERM_THAT_WAS =
  /^[ ,)]*\((?:the |hereinafter )?["“'‘]{1,2}(?:initial|original|existing|current|prior|previous|present|expiring|old) (?:lease )?term/i

function isOfTermBefore(text: string, here: Mention, next: Mention | undefined): boolean {
  const called = (mention: Mention): boolean => TERM_THAT_WAS.test(text.slice(mention.end, mention.end + AFTER))
  return called(here) || (next !== undefined && next.start - here.end < BETWEEN && called(next))
}

/** How sure the two are, and the most text between them. */
const CALLED = 0.93
const MOVED_BY = 0.88
const BETWEEN = 90

function pairCue(text: string, mentions: readonly Mention[], index: number): Cue | null {
  const [previous, here, next] = [mentions[index - 1], mentions[index], mentions[index + 1]]
  const asStart = here && next ? termPair(text, here, next) : null
  if (asStart !== null) return { field: 'lease_start', score: asStart }
  const asEnd = previous && here ? termPair(text, previous, here) : null
  return asEnd === null ? null : { field: 'lease_end', score: asEnd }
}

/** True for a day and the last day of a term that begins on it; from an old end to a new one is no such span. */
function isWholeTerm(first: string, last: string): boolean {
  const [from, to] = [first, last].map(
    raw => readDate(raw, { today: '2000-01-01', dateOrder: 'mdy', source: 'text', yearPivot: 'future' }).value
  )
  if (!from || !to) return false
  const after = addDays(to, 1)
  return after.slice(8) === from.slice(8) && after > from
}

/** `Under a Master Lease … for a term ending May 31, 2030`: a sentence about the lease above. */
const OF_LEASE_ABOVE =
  /(?:^|[.;] )(?:under|pursuant to|by|in) (?:an? |the |that certain )?(?:master|prime|head|over|main) ?lease\b[^.;]*$/i

/** `(the "Extended Expiration Date")`, and `the period from June 1, 2024 through the Extended Expiration Date`. */
const NEW_END =
  /^[ ,)]*\((?:the |hereinafter )?["“'‘]{1,2}(?:extended|new|revised|extension|amended) (?:lease |term )?(?:expiration|termination|end|expiry) date/i
const TO_NEW_END =
  /^,? (?:\([^)]{0,40}\),? )?(?:and )?(?:through|to|until|ending on|expiring on|continuing (?:through|until))(?: and including)? the (?:extended |new |revised |lease )?(?:expiration|termination) date\b/i
const OF_PERIOD = /\b(?:term|period)\b(?:(?!rent)[^.;$]){0,30}\b(?:from|commencing(?: on)?|beginning(?: on)?) $/i

function cueOf(text: string, mention: Mention, floor: number): Cue | null {
  const before = text.slice(Math.max(floor, mention.start - BEFORE), mention.start)
  const after = text.slice(mention.end, mention.end + AFTER)
  const opening = text.slice(Math.max(0, mention.start - BEFORE), mention.start)
  if (OF_LEASE_ABOVE.test(opening) || IF_NOTICE.test(opening)) return null
  if (MOVED.test(after) || CHANGED_FROM.test(before) || END_THAT_WAS.test(before.slice(-90))) return null
  if (isAmendment(text)) {
    if (NEW_END.test(after)) return { field: 'lease_end', score: 0.93 }
    if (TO_NEW_END.test(after) && OF_PERIOD.test(before)) return { field: 'lease_start', score: 0.88 }
  }
  const defined = CUES.find(cue => cue.after?.test(after))
  const starts = defined?.field === 'execution_date' && CUES.find(({ before: words }) => words?.test(before))
  if (starts && starts.field === 'lease_start') return starts
  if (defined) return defined
  if (floor > 0 && THROUGH.test(before)) {
    const ahead = text.slice(Math.max(0, floor - BEFORE), floor)
    if (END_MOVED.test(ahead)) return { field: 'lease_end', score: 0.9 }
    const own = isAmendment(text) ? ahead.replace(MOVES, 'term') : ahead
    if (FROM_DATE.test(own) && !OTHER_SPAN.test(own)) return { field: 'lease_end', score: 0.86 }
  }
  const cue = CUES.find(other => other.before?.test(before))
  if (!cue) return null
  const near = isAmendment(text) ? before.slice(-90).replace(MOVES, 'term') : before.slice(-90)
  const isOther = OTHER_BEFORE.test(near) || OTHER_YEAR.test(before)
  return cue.score < 0.9 && cue.field !== 'execution_date' && isOther ? null : cue
}

interface Cued {
  readonly mention: Mention
  readonly cue: Cue
}

function cuedDates(text: string): Cued[] {
  const mentions = findDates(text).slice(0, MOST_DATES)
  const isAmending = isAmendment(text)
  return mentions.flatMap((mention, index) => {
    const floor = index > 0 ? (mentions[index - 1]?.end ?? 0) : 0
    if (isAmending && isOfTermBefore(text, mention, mentions[index + 1])) return []
    const cue = pairCue(text, mentions, index) ?? cueOf(text, mention, floor)
    return cue ? [{ mention, cue }] : []
  })
}

/** A start and the end that follows it closely are read together: only one date order may make them a whole term. */
const PAIR_REACH = 220

function pairEnd(dates: readonly Cued[], index: number): Cued | null {
  const [here, next] = [dates[index], dates[index + 1]]
  if (here?.cue.field !== 'lease_start' || next?.cue.field !== 'lease_end') return null
  return next.mention.start - here.mention.end < PAIR_REACH ? next : null
}

function toEvidence(
  view: View,
  { mention, cue }: Cued,
  reading: ReturnType<typeof readDate>,
  score: number
): Evidence[] {
  const origin = originAt(view.prose, mention.start, mention.end)
  if (!origin) return []
  const evidence: Evidence = {
    field: cue.field,
    value: reading.value,
    raw: mention.raw,
    origin,
    status: reading.status,
    flags: reading.flags,
    score,
    via: 'sentence'
  }
  return [reading.readings ? { ...evidence, readings: reading.readings } : evidence]
}

/** What a start and an end of one sentence gain over single dates. */
const PAIR_BONUS = 0.09

/** Commencement, expiration and date of the agreement as sentences state them. */
export function sentenceDates(view: View): Evidence[] {
  const dates = cuedDates(view.prose.text)
  const found: Evidence[] = []
  for (let index = 0; index < dates.length; index += 1) {
    const here = dates[index]
    if (!here) continue
    const end = pairEnd(dates, index)
    if (end) {
      const period = readPeriod(here.mention.raw, end.mention.raw, view.context)
      const fit = spanFit(period.start.value, period.end.value, LEASE_PERIOD.longestDays)
      const bonus = fit === 1 ? PAIR_BONUS : 0
      found.push(...toEvidence(view, here, period.start, Math.min(1, here.cue.score + bonus)))
      found.push(...toEvidence(view, end, period.end, Math.min(1, Math.max(end.cue.score, here.cue.score) + bonus)))
      index += 1
      continue
    }
    const yearPivot = here.cue.field === 'lease_end' ? 'future' : 'past'
    found.push(...toEvidence(view, here, readDate(here.mention.raw, { ...view.context, yearPivot }), here.cue.score))
  }
  return found
}

/** `The Term is hereby extended from June 30, 2024 to June 30, 2029`: a sentence about two ends, no label with a term. */
const OF_CHANGE = /\b(?:changed|moved|extended|amended|postponed|renewed)(?: [a-z]+){0,2} from\b/i

/** Both dates behind every label that announces a term. */
export function labelledTerms(view: View): Evidence[] {
  return view.labels.hits
    .filter(hit => hit.key === 'period' || (hit.key === 'extension_term' && isAmendment(view.prose.text)))
    .filter(({ segment }) => !OF_CHANGE.test(segment.text.slice(0, 200)) && !OF_NOTICE.test(segment.text.slice(0, 200)))
    .slice(0, 40)
    .flatMap(hit => periodEvidence(hit, view, LEASE_PERIOD))
}

const SAME_AS_EFFECTIVE =
  /["“'](?:lease |term )?commencement date["”'] means the effective date|\bterm[^.;]{0,80}commenc(?:e|es|ing) on the effective date/i

/** `"Commencement Date" means the Effective Date`: the one date is both. */
export function startFromEffective(view: View, found: readonly Evidence[]): Evidence[] {
  if (!SAME_AS_EFFECTIVE.test(view.prose.text)) return []
  const effective = found.find(piece => piece.field === 'execution_date' && piece.value !== null)
  return effective
    ? [
        {
          ...effective,
          field: 'lease_start',
          score: 0.86,
          via: 'effective date',
          flags: [...effective.flags, 'SAME_AS_EFFECTIVE_DATE']
        }
      ]
    : []
}

/** A commencement that hangs on an event: its date stands in no lease but in a letter that follows it. */
const CONTINGENT =
  /\b(?:commenc(?:e|es|ing|ement)|term)\b[^.]{0,140}\b(?:first day of the (?:following )?month (?:following|after)|first day of the following month|(?:later|earlier) (?:to occur )?of|upon (?:substantial )?completion|such later date on which|date (?:on|of) (?:which )?(?:substantial completion|delivery)|after the (?:delivery|completion|termination))/i

/** True when the document makes the commencement depend on an event. */
export function isContingent(view: View): boolean {
  return CONTINGENT.test(view.prose.text)
}
