/** One line of a fee table: valuations above `over` up to and including `upTo`. All amounts are decimal strings. */
export interface FeeBracket {
  readonly over: string
  /** Null: without end. */
  readonly upTo: string | null
  readonly base: string
  /** Charged for every `unit` or fraction of one above `over`. */
  readonly rate: string
  readonly unit: string
}

export interface FeeSchedule {
  readonly id: string
  /** Null: for every type of permit without a schedule of its own. */
  readonly permitTypeCode: string | null
  /** In force from this day, `YYYY-MM-DD`, until the day before `effectiveTo`; null: without end. */
  readonly effectiveFrom: string
  readonly effectiveTo: string | null
  readonly brackets: readonly FeeBracket[]
}

/** Digits kept behind the point while computing: valuations and rates have two to four in every table seen. */
const SCALE = 6
const FACTOR = 10n ** BigInt(SCALE)
const CENT = FACTOR / 100n

/** A decimal string as an integer of millionths; throws for anything else. */
function scaled(decimal: string): bigint {
  const match = /^(\d{1,18})(?:\.(\d{1,6}))?$/.exec(decimal)
  if (!match) throw new RangeError('A fee table holds an amount that is not a plain decimal.')
  return BigInt(match[1] ?? '0') * FACTOR + BigInt((match[2] ?? '').padEnd(SCALE, '0'))
}

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/** Half up, to whole cents: how ordinances round unless they say otherwise. */
const toCents = (amount: bigint): number => Number((amount + CENT / 2n) / CENT)

/** The bracket a valuation falls in: above its lower bound, up to and including its upper one. */
function bracketOf(brackets: readonly FeeBracket[], valuation: bigint): FeeBracket | undefined {
  return brackets.find(({ over, upTo }) => valuation > scaled(over) && (upTo === null || valuation <= scaled(upTo)))
}

/**
 * The fee in cents for a valuation by a bracket table (the form of UBC 1997 table 1-A): the base, and the rate for every
 * unit or fraction of one above the bracket's lower bound. Exact, no floats. Null when no bracket holds the valuation.
 */
export function feeCents(brackets: readonly FeeBracket[], valuation: string): number | null {
  const value = scaled(valuation)
  const bracket = bracketOf(brackets, value)
  if (!bracket) return null
  const units = ceilDiv(value - scaled(bracket.over), scaled(bracket.unit))
  return toCents(scaled(bracket.base) + units * scaled(bracket.rate))
}

/**
 * The schedule for a type of permit on a day, `YYYY-MM-DD`: its own, else the general one; undefined when there is neither
 * or more than one in force.
 */
export function scheduleFor(
  schedules: readonly FeeSchedule[],
  permitTypeCode: string,
  day: string
): FeeSchedule | undefined {
  const inForce = schedules.filter(
    ({ effectiveFrom, effectiveTo }) => effectiveFrom <= day && (effectiveTo === null || day < effectiveTo)
  )
  const own = inForce.filter(schedule => schedule.permitTypeCode === permitTypeCode)
  const candidates = own.length > 0 ? own : inForce.filter(schedule => schedule.permitTypeCode === null)
  return candidates.length === 1 ? candidates[0] : undefined
}
