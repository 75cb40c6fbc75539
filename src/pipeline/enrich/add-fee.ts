import type { Json } from '../../model/json.ts'
import { reasonOf } from '../../model/reasons.ts'
import { chooseSchedule } from '../../registries/fees/choose-schedule.ts'
import { computeFee, type Fee } from '../../registries/fees/compute-fee.ts'
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

function valuesFor(draft: Draft, schedule: FeeSchedule): Record<string, Json> {
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

/** The fee by type, day of application and what its schedule asks for; `received`, `YYYY-MM-DD`, stands for a day that is not given. */
export function addFee(draft: Draft, schedules: readonly FeeSchedule[] | undefined, received: string): Addition {
  const permitType = textOf(draft, 'permit_type_code')
  const valuation = textOf(draft, 'project_valuation')
  // Such a record is held already, for what is required of every permit.
  if (permitType === undefined || valuation === undefined || valuation.startsWith('-')) return NOTHING
  if (!schedules) return held('ENRICH_UNAVAILABLE', 'permit_type_code', 'feeSchedule', permitType)
  const choice = chooseSchedule(schedules, { permitType, appliedDate: textOf(draft, 'applied_date') ?? received })
  if (choice.kind !== 'one') return held('FEE_SCHEDULE_MISSING', 'permit_type_code', 'feeSchedule', permitType)
  const { schedule } = choice
  const fee = computeFee(schedule, valuesFor(draft, schedule))
  if (fee.kind !== 'fee') return uncharged(draft, schedule, fee)
  const { id } = schedule
  const stated = textOf(draft, 'stated_fee')
  const differs = stated !== undefined && stated !== inDollars(fee.feeCents)
  const origin = { registry: ORIGIN_OF.feeSchedule, key: id }
  return {
    fields: {
      fee_cents: fromRegistry(fee.feeCents, 'feeSchedule', id),
      fee_lines: fromRegistry(
        fee.lines.map(({ name, amount }) => ({ name, amount })),
        'feeSchedule',
        id
      ),
      fee_schedule_id: fromRegistry(id, 'feeSchedule', id)
    },
    reasons: differs ? [reasonOf('FEE_MISMATCH', { field: 'stated_fee', origin })] : []
  }
}
