import type { Json } from '../../model/json.ts'
import { add, compare, constant, type Exact, exact, multiply, subtract, unitsBegun, ZERO } from './exact.ts'
import { foldWord } from './fold-word.ts'
import type { BracketLine, FeeBracket, FeeLine } from './schedule.ts'

type Inputs = Readonly<Record<string, Json | undefined>>

function wordOf(value: Json | undefined): string | undefined {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? foldWord(value) : undefined
}

/** Decimal text or a whole number that is not negative. */
function numberOf(value: Json | undefined): Exact | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && /^\d{1,18}(?:\.\d{1,12})?$/.test(text) ? exact(text) : undefined
}

/** A record as a schedule looks at it, and what it was found to lack. */
export interface Evaluation {
  readonly inputs: Inputs
  /** Fields without value, in the order they were asked for; one may come twice. */
  readonly missing: string[]
  /** Fields whose value the schedule says nothing for; one may come twice. */
  readonly uncovered: string[]
}

export const evaluationOf = (inputs: Inputs): Evaluation => ({ inputs, missing: [], uncovered: [] })

function quantityOf(field: string, { inputs, missing, uncovered }: Evaluation): Exact | null {
  const value = inputs[field]
  if (value === undefined || value === null) {
    missing.push(field)
    return null
  }
  const quantity = numberOf(value)
  if (quantity === undefined) uncovered.push(field)
  return quantity ?? null
}

/** Whether a line is charged; null when the record does not tell. */
function isCharged({ when }: FeeLine, { inputs, missing }: Evaluation): boolean | null {
  if (when === undefined) return true
  const word = wordOf(inputs[when.field])
  if (word !== undefined) return when.in.some(one => foldWord(one) === word)
  if (when.absent !== undefined) return when.absent === 'apply'
  missing.push(when.field)
  return null
}

type Multiplier = FeeLine['multipliers'][number]

function factorOf({ field, values, absent }: Multiplier, { inputs, missing, uncovered }: Evaluation): Exact | null {
  const word = wordOf(inputs[field])
  if (word === undefined) {
    if (absent === undefined) missing.push(field)
    return absent === undefined ? null : constant(absent)
  }
  const found = Object.entries(values).find(([name]) => foldWord(name) === word)
  if (!found) uncovered.push(field)
  return found ? constant(found[1]) : null
}

interface Bounds {
  readonly bracket: FeeBracket
  readonly over: Exact
  readonly to: Exact | null
}

/** The bounds of a line's brackets, which are read once: nearly every record is compared with several. */
const known = new WeakMap<BracketLine, readonly Bounds[]>()

function boundsOf(line: BracketLine): readonly Bounds[] {
  let bounds = known.get(line)
  if (bounds === undefined) {
    bounds = line.brackets.map(bracket => {
      const { over, to } = bracket
      return { bracket, over: exact(over), to: to === null ? null : exact(to) }
    })
    known.set(line, bounds)
  }
  return bounds
}

/** The bracket a value falls in: above its lower bound, up to and including its upper one. */
function bracketOf(line: BracketLine, value: Exact): FeeBracket | undefined {
  for (const { bracket, over, to } of boundsOf(line)) {
    if (compare(value, over) > 0 && (to === null || compare(value, to) <= 0)) return bracket
  }
  return undefined
}

/** Base, and the rate for each unit begun above the lower bound, or for exactly what is above it. */
export function bracketAmount({ over, base, rate, unit }: FeeBracket, value: Exact): Exact {
  const above = subtract(value, constant(over))
  const times = unit === null ? above : unitsBegun(above, constant(unit))
  return add(constant(base), multiply(times, constant(rate)))
}

function bracketLine(line: BracketLine, evaluation: Evaluation): Exact | null {
  const value = quantityOf(line.of, evaluation)
  if (value === null) return null
  const bracket = bracketOf(line, value)
  if (!bracket) evaluation.uncovered.push(line.of)
  return bracket ? bracketAmount(bracket, value) : null
}

function perUnit(line: Extract<FeeLine, { kind: 'per_unit' }>, evaluation: Evaluation): Exact | null {
  const value = quantityOf(line.of, evaluation)
  if (value === null) return null
  const above = subtract(value, constant(line.included))
  return above.units <= 0 ? ZERO : multiply(unitsBegun(above, constant(line.unit)), constant(line.rate))
}

function plainAmount(line: Exclude<FeeLine, { kind: 'percent' }>, evaluation: Evaluation): Exact | null {
  if (line.kind === 'flat') return constant(line.amount)
  return line.kind === 'brackets' ? bracketLine(line, evaluation) : perUnit(line, evaluation)
}

/**
 * The amount of a line before its limits and rounding: null when it is not charged, or cannot be told, which the evaluation
 * then says. `percent` works out what a line of that kind is a percentage of.
 */
export function lineAmount(
  line: FeeLine,
  evaluation: Evaluation,
  percent: (line: Extract<FeeLine, { kind: 'percent' }>) => Exact
): Exact | null {
  if (isCharged(line, evaluation) !== true) return null
  const amount = line.kind === 'percent' ? percent(line) : plainAmount(line, evaluation)
  if (line.multipliers.length === 0) return amount
  const factors = line.multipliers.map(multiplier => factorOf(multiplier, evaluation))
  if (amount === null) return null
  return factors.reduce<Exact>((product, factor) => (factor === null ? product : multiply(product, factor)), amount)
}
