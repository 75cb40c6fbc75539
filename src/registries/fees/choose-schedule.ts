import { foldWord } from './fold-word.ts'
import type { FeeSchedule } from './schedule.ts'

/** What a record is charged by, so far as that chooses its schedule. */
export interface Charged {
  /** As the office writes it. */
  readonly permitType: string
  /** `YYYY-MM-DD`: ordinances go by the day of application. */
  readonly appliedDate: string
}

export type Choice =
  | { readonly kind: 'one'; readonly schedule: FeeSchedule }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly ids: readonly string[] }

/** Whether a schedule is in force on a day, `YYYY-MM-DD`; ISO dates compare as texts. */
const isInForce = ({ effective_from: from, effective_to: to }: FeeSchedule, day: string): boolean =>
  from <= day && (to === null || day < to)

function choose(schedules: readonly FeeSchedule[], { permitType, appliedDate }: Charged): Choice {
  const inForce = schedules.filter(schedule => isInForce(schedule, appliedDate))
  const type = foldWord(permitType)
  const own = inForce.filter(({ permit_types: types }) => types?.some(one => foldWord(one) === type))
  const ranked = own.length > 0 ? own : inForce.filter(({ permit_types: types }) => types === null)
  const [schedule, ...others] = ranked
  if (!schedule) return { kind: 'none' }
  return others.length === 0 ? { kind: 'one', schedule } : { kind: 'several', ids: ranked.map(({ id }) => id) }
}

/** What was chosen among a list of schedules, by day and type: a file has a handful of types, and a year 365 days. */
interface Chosen {
  readonly byDay: Map<string, Map<string, Choice>>
  size: number
}

const chosen = new WeakMap<readonly FeeSchedule[], Chosen>()
const MAX_CHOSEN = 10_000

/**
 * The schedule for a type of permit on a day: its own, else the general one. More than one of the same rank decides
 * nothing. Takes all schedules of a jurisdiction, past and future ones too.
 */
export function chooseSchedule(schedules: readonly FeeSchedule[], charged: Charged): Choice {
  let known = chosen.get(schedules)
  if (known === undefined || known.size >= MAX_CHOSEN) {
    known = { byDay: new Map(), size: 0 }
    chosen.set(schedules, known)
  }
  let byType = known.byDay.get(charged.appliedDate)
  if (byType === undefined) {
    byType = new Map()
    known.byDay.set(charged.appliedDate, byType)
  }
  let choice = byType.get(charged.permitType)
  if (choice === undefined) {
    choice = choose(schedules, charged)
    byType.set(charged.permitType, choice)
    known.size += 1
  }
  return choice
}
