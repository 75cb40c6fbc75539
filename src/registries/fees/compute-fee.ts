import type { Json } from '../../model/json.ts'
import { add, centsOf, compare, constant, type Exact, exactText, percentOf, roundTo, ZERO } from './exact.ts'
import { type Evaluation, evaluationOf, lineAmount } from './line-amount.ts'
import type { FeeLine, FeeSchedule } from './schedule.ts'

/** The values of a record's fields by name: decimal text, whole numbers, words. */
export type FeeInputs = Readonly<Record<string, Json | undefined>>

export interface ChargedLine {
  readonly name: string
  /** Decimal text; rounded when the schedule rounds each line, else exact. */
  readonly amount: string
}

/** `missing`: the record lacks what the schedule asks for. `not_covered`: the schedule says nothing for the field's value. */
export type Fee =
  | { readonly kind: 'fee'; readonly feeCents: number; readonly lines: readonly ChargedLine[] }
  | { readonly kind: 'missing'; readonly fields: readonly string[] }
  | { readonly kind: 'not_covered'; readonly field: string }

function within(amount: Exact, { minimum, maximum }: Pick<FeeLine, 'minimum' | 'maximum'>): Exact {
  const raised = minimum !== undefined && compare(amount, constant(minimum)) < 0 ? constant(minimum) : amount
  return maximum !== undefined && compare(raised, constant(maximum)) > 0 ? constant(maximum) : raised
}

/** Works lines out, each once; null for a line that is not charged. */
function createWorkings({ lines, rounding }: FeeSchedule, evaluation: Evaluation): (line: FeeLine) => Exact | null {
  // Only a percentage asks for a line that was worked out before.
  const known = lines.some(({ kind }) => kind === 'percent') ? new Map<string, Exact | null>() : null
  const baseOf = (names: readonly string[]): Exact =>
    names.reduce<Exact>((sum, name) => {
      const line = lines.find(one => one.name === name)
      const amount = line ? amountOf(line) : null
      return amount === null ? sum : add(sum, amount)
    }, ZERO)
  const amountOf = (line: FeeLine): Exact | null => {
    const before = known?.get(line.name)
    if (before !== undefined) return before
    const own = lineAmount(line, evaluation, ({ of, percent }) => percentOf(baseOf(of), constant(percent)))
    const limited = own === null ? null : within(own, line)
    const amount =
      limited !== null && rounding.stage === 'per_line'
        ? roundTo(limited, constant(rounding.unit), rounding.mode)
        : limited
    known?.set(line.name, amount)
    return amount
  }
  return amountOf
}

function total(schedule: FeeSchedule, sumOfLines: Exact): Exact {
  const sum = within(sumOfLines, schedule)
  const { unit, mode, stage } = schedule.rounding
  return stage === 'total' ? roundTo(sum, constant(unit), mode) : sum
}

/**
 * The fee of a record by a schedule, exact: nothing passes through a float that does not hold it. Lines are rounded each, or
 * their sum once, as the schedule says; a percentage is of the line it names as charged. What the record lacks is named, all
 * at once, and never guessed. Throws a RangeError only for a schedule that was not read by `readFeeSchedule`.
 */
export function computeFee(schedule: FeeSchedule, inputs: FeeInputs): Fee {
  const evaluation = evaluationOf(inputs)
  const amountOf = createWorkings(schedule, evaluation)
  const lines: ChargedLine[] = []
  let sum = ZERO
  for (const line of schedule.lines) {
    const amount = amountOf(line)
    if (amount === null) continue
    sum = add(sum, amount)
    lines.push({ name: line.name, amount: exactText(amount, 2) })
  }
  const { missing, uncovered } = evaluation
  if (missing.length > 0) return { kind: 'missing', fields: [...new Set(missing)] }
  const [field] = uncovered
  if (field !== undefined) return { kind: 'not_covered', field }
  const feeCents = centsOf(total(schedule, sum))
  return feeCents === undefined ? { kind: 'not_covered', field: 'fee_cents' } : { kind: 'fee', feeCents, lines }
}
