import type { Json } from '../../model/json.ts'
import { reasonOf } from '../../model/reasons.ts'
import { chooseSchedule } from '../../registries/fees/choose-schedule.ts'
import { computeFee, type Fee, type FeeInputs } from '../../registries/fees/compute-fee.ts'
import { inputsOf } from '../../registries/fees/inputs.ts'
import type { FeeSchedule } from '../../registries/fees/schedule.ts'
import { schedulesOf as read, type StoredSchedule } from '../../registries/fees/stored-schedules.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { type Addition, fromRegistry, held, NOTHING, ORIGIN_OF, textOf, valueOf } from './addition.ts'
import type { Resolved } from './resolve.ts'

/** The schedules of an answer; undefined when there was none. Throws for schedules that cannot be read. */
export function schedulesOf({ answer }: Resolved): readonly FeeSchedule[] | undefined {
  if (answer.kind !== 'match') return undefined
  return read(answer.value['schedules'] as unknown as readonly StoredSchedule[])
}

/** The values that a schedule asks for. Those of a draft without envelopes stand together already. */
function valuesFor(draft: Draft, schedule: FeeSchedule): FeeInputs {
  if (draft.plain) return draft.plain.values
  const values: Record<string, Json> = {}
  for (const name of inputsOf(schedule)) values[name] = valueOf(draft, name) ?? null
  return values
}

/** A record that the schedule cannot charge: what it lacks, or what the schedule does not cover, is named. */
function uncharged(draft: Draft, schedule: FeeSchedule, fee: Exclude<Fee, { kind: 'fee' }>): Addition {
  const isMissing = fee.kind === 'missing'
  const field = (isMissing ? fee.fields[0] : fee.field) ?? 'fee_cents'
  const code = isMissing ? 'FEE_INPUT_MISSING' : 'FEE_NOT_COVERED'
  const names = isMissing ? fee.fields.join(', ') : fee.field
  const origin = draft.candidate.fields[field]?.origin ?? { registry: ORIGIN_OF.feeSchedule, key: schedule.id }
  return { fields: {}, reasons: [reasonOf(code, { field, origin, detail: `${schedule.id} asks for ${names}` })] }
}

/** Whole cents as amounts are written: decimal text with two decimals. */
function inDollars(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

type Charge =
  /** It is held already, for what is required of every permit. */
  | { readonly kind: 'none' }
  | { readonly kind: 'no_schedule'; readonly permitType: string; readonly isAway: boolean }
  | { readonly kind: 'charged'; readonly schedule: FeeSchedule; readonly fee: Fee }

/** What a draft is charged by its type, its day of application and what the schedule of these asks for. */
function chargeOf(draft: Draft, schedules: readonly FeeSchedule[] | undefined, received: string): Charge {
  const permitType = textOf(draft, 'permit_type_code')
  const valuation = textOf(draft, 'project_valuation')
  if (permitType === undefined || valuation === undefined || valuation.startsWith('-')) return { kind: 'none' }
  if (!schedules) return { kind: 'no_schedule', permitType, isAway: true }
  const choice = chooseSchedule(schedules, { permitType, appliedDate: textOf(draft, 'applied_date') ?? received })
  if (choice.kind !== 'one') return { kind: 'no_schedule', permitType, isAway: false }
  const { schedule } = choice
  return { kind: 'charged', schedule, fee: computeFee(schedule, valuesFor(draft, schedule)) }
}

const isStatedOtherwise = (draft: Draft, cents: number): boolean => {
  const stated = textOf(draft, 'stated_fee')
  return stated !== undefined && stated !== inDollars(cents)
}

type Charged = Extract<Fee, { kind: 'fee' }>

/** Fields of a fee and its schedule. */
export const FEE_FIELDS = ['fee_cents', 'fee_lines', 'fee_schedule_id'] as const

const linesTold = (fee: Charged): Json => fee.lines.map(({ name, amount }) => ({ name, amount }))

/** A fee when there is nothing else to tell of it; null: `addFee` has more to say. */
export function plainFee(
  draft: Draft,
  schedules: readonly FeeSchedule[] | undefined,
  received: string
): { readonly cents: number; readonly lines: Json; readonly id: string } | null {
  const charge = chargeOf(draft, schedules, received)
  if (charge.kind !== 'charged' || charge.fee.kind !== 'fee') return null
  const { schedule, fee } = charge
  if (isStatedOtherwise(draft, fee.feeCents)) return null
  return { cents: fee.feeCents, lines: linesTold(fee), id: schedule.id }
}

/** The fee by type, day of application and what its schedule asks for; `received`, `YYYY-MM-DD`, stands for a day that is not given. */
export function addFee(draft: Draft, schedules: readonly FeeSchedule[] | undefined, received: string): Addition {
  const charge = chargeOf(draft, schedules, received)
  if (charge.kind === 'none') return NOTHING
  if (charge.kind === 'no_schedule') {
    const code = charge.isAway ? 'ENRICH_UNAVAILABLE' : 'FEE_SCHEDULE_MISSING'
    return held(code, 'permit_type_code', 'feeSchedule', charge.permitType)
  }
  const { schedule, fee } = charge
  if (fee.kind !== 'fee') return uncharged(draft, schedule, fee)
  const { id } = schedule
  const origin = { registry: ORIGIN_OF.feeSchedule, key: id }
  return {
    fields: {
      fee_cents: fromRegistry(fee.feeCents, 'feeSchedule', id),
      fee_lines: fromRegistry(linesTold(fee), 'feeSchedule', id),
      fee_schedule_id: fromRegistry(id, 'feeSchedule', id)
    },
    reasons: isStatedOtherwise(draft, fee.feeCents) ? [reasonOf('FEE_MISMATCH', { field: 'stated_fee', origin })] : []
  }
}
