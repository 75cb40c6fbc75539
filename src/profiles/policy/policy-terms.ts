import type { Evidence } from '../find/evidence.ts'
import type { LabelHit } from '../find/layout/labels.ts'
import { valueStart } from '../find/layout/labels.ts'
import { originOf, type Segment, segmentsWithin } from '../find/layout/sheet.ts'
import { type PeriodFields, readPeriod } from '../find/period.ts'
import { wholeMonths } from '../find/values/calendar.ts'
import { findDates } from '../find/values/mentions.ts'
import type { View } from '../find/view.ts'

/** Words that stand with the dates of a term and name nothing else. */
const OF_A_TERM = new Set(
  'from to thru through until till beginning begins begin begining ending ends end effective expires expiring expiration inception start starts starting date dates on at and the is months month mo noon midnight'.split(
    ' '
  )
)
/** Lines below the words for a period in which its dates may stand, in heights of a line. */
const REACH = 3.4
/** How far left of the words their dates may begin, as a share of the page. */
const INDENT = 0.02
/** What two such dates score that are a whole term apart. */
const SPREAD = 0.93
const MOST = 20

/** The hour a term begins and ends at, and where that is the hour: nothing behind it is of the dates. */
const HOUR = /,? ?\(?(?:at )?(?:12:0[01]|noon|midnight|standard time)\b.{0,120}$/i

interface Place {
  readonly segment: Segment
  readonly raw: string
}

/** The dates of a segment that holds nothing but dates and words of a term; null for any other. */
function datesOf(segment: Segment, from = 0): Place[] | null {
  const text = segment.tokens
    .slice(from)
    .map(token => token.text)
    .join(' ')
  const dates = findDates(text)
  let rest = text.replace(HOUR, '')
  for (const { raw } of dates) rest = rest.replace(raw, ' ')
  const words = rest
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
  const isTerm = words.every(word => OF_A_TERM.has(word)) && !/\d{3}/.test(rest)
  return isTerm && text !== '' ? dates.map(({ raw }) => ({ segment, raw })) : null
}

/** What stands right of the label on its line, then what stands in the lines below it, as far as it speaks of a term. */
function around({ segment, to }: LabelHit, view: View): Segment[] {
  const { page, box } = segment
  const height = box[3] - box[1]
  const left = segment.tokens[0]?.box[0] ?? box[0]
  const right = segment.tokens[to - 1]?.box[2] ?? box[2]
  return segmentsWithin(view.sheet, page, box[1], box[3] + height * REACH)
    .filter(other => {
      if (other === segment || other.box[1] > box[3] + height * REACH) return false
      const isLevel = other.box[1] < (box[1] + box[3]) / 2 && other.box[3] > (box[1] + box[3]) / 2
      return isLevel
        ? other.box[0] >= right - 0.005
        : other.box[1] >= box[3] - height / 2 && other.box[0] > left - INDENT
    })
    .toSorted((a, b) => (Math.abs(a.box[1] - b.box[1]) < height / 2 ? a.box[0] - b.box[0] : a.box[1] - b.box[1]))
}

/** The first two dates, when all that stands before the second speaks of a term. */
function pairOf(hit: LabelHit, view: View): [Place, Place] | null {
  const own = valueStart(hit) < hit.segment.tokens.length ? datesOf(hit.segment, valueStart(hit)) : []
  if (own === null) return null
  const places = [...own]
  for (const segment of around(hit, view)) {
    if (places.length >= 2) break
    const dates = datesOf(segment)
    if (dates) places.push(...dates)
    else if (places.length > 0) return null
  }
  const [first, second] = places
  return first && second ? [first, second] : null
}

/**
 * Periods whose dates stand apart from each other: `Policy Period: Beginning 05/20/2025    Ending 05/20/2026`, or in the
 * line below, `From` and `To` each with its own. Taken only where they are a whole term apart.
 */
export function spreadPeriods(view: View, { start, end }: PeriodFields): Evidence[] {
  const hits = view.labels.hits.filter(hit => hit.key === 'period' && hit.weight > 0.9).slice(0, MOST)
  return hits.flatMap(hit => {
    const pair = pairOf(hit, view)
    if (!pair) return []
    const [first, second] = pair
    const { start: from, end: to, decided } = readPeriod(first.raw, second.raw, view.context)
    const months = from.value === null || to.value === null ? null : wholeMonths(from.value, to.value)
    const isTwofold = from.readings !== undefined && to.readings !== undefined
    if (!isTwofold && (months === null || months <= 0 || months % 6 !== 0)) return []
    return [
      { field: start, reading: from, place: first },
      { field: end, reading: to, place: second }
    ].map(({ field, reading, place }) => {
      const flags = decided ? [...reading.flags, 'DATE_ORDER_FROM_PERIOD'] : reading.flags
      const { value, status } = reading
      const origin = originOf(place.segment)
      const evidence: Evidence = { field, value, raw: place.raw, origin, status, flags, score: SPREAD, via: 'spread' }
      return reading.readings ? { ...evidence, readings: reading.readings } : evidence
    })
  })
}
