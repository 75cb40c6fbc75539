import { type FeeSchedule, feeCents, scheduleFor } from '../../registries/fee.ts'
import type { Answers } from '../../registries/look-ups.ts'
import { ALL_SCHEDULES } from '../../registries/registry.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { type Addition, fromRegistry, held, NOTHING, textOf } from './addition.ts'

/** The schedules of an answer; undefined when there was none. */
export function schedulesOf(answers: Answers): readonly FeeSchedule[] | undefined {
  const answer = answers.get(ALL_SCHEDULES)
  return answer?.kind === 'match' ? (answer.value['schedules'] as unknown as readonly FeeSchedule[]) : undefined
}

/** The fee by type, valuation and day of application; `today` stands for a day that is not given. */
export function addFee(draft: Draft, schedules: readonly FeeSchedule[] | undefined, today: string): Addition {
  const type = textOf(draft, 'permit_type_code')
  const valuation = textOf(draft, 'project_valuation')
  if (type === undefined || valuation === undefined || valuation.startsWith('-')) return NOTHING
  if (!schedules) return held('ENRICH_UNAVAILABLE', 'permit_type_code', 'feeSchedule', type)
  const schedule = scheduleFor(schedules, type, textOf(draft, 'applied_date') ?? today)
  const cents = schedule ? feeCents(schedule.brackets, valuation) : null
  if (!schedule || cents === null) return held('FEE_SCHEDULE_MISSING', 'permit_type_code', 'feeSchedule', type)
  return {
    fields: {
      fee_cents: fromRegistry(cents, 'feeSchedule', schedule.id),
      fee_schedule_id: fromRegistry(schedule.id, 'feeSchedule', schedule.id)
    },
    reasons: []
  }
}
