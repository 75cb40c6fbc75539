import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { faultsTold, issueText } from '../../model/data/issue-text.ts'
import { type FeeSchedule, Schedule } from './schedule.ts'

const File = z.strictObject({
  jurisdiction: z
    .string()
    .regex(
      /^(?:\d{2}|\d{5}|\d{7}|[a-z][a-z0-9-]{1,39})$/,
      'expected a jurisdiction code: 2, 5 or 7 digits, or a name of small letters'
    ),
  schedules: z.array(Schedule).max(1000)
})

function refused(error: z.ZodError, what: string): AppError {
  const { told, text } = faultsTold(error.issues.map(issueText))
  return new AppError('FEE_SCHEDULE_INVALID', `${what} is not sound: ${text}.`, { details: { faults: told } })
}

/** A file of fee schedules for one jurisdiction. */
export interface ScheduleFile {
  readonly jurisdiction: string
  readonly schedules: readonly FeeSchedule[]
}

/**
 * Reads the content of a file of fee schedules.
 * @throws AppError `FEE_SCHEDULE_INVALID` that names the path of everything wrong and what was expected there.
 */
export function readScheduleFile(content: unknown): ScheduleFile {
  const read = File.safeParse(content)
  if (!read.success) throw refused(read.error, 'The file of fee schedules')
  const ids = read.data.schedules.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) < at)
  if (twice !== undefined) {
    throw new AppError(
      'FEE_SCHEDULE_INVALID',
      `The file holds the schedule ${twice} twice. Give each an id of its own.`
    )
  }
  return read.data
}

/**
 * Reads one fee schedule of plain data.
 * @throws AppError `FEE_SCHEDULE_INVALID` as `readScheduleFile` does.
 */
export function readFeeSchedule(data: unknown): FeeSchedule {
  const read = Schedule.safeParse(data)
  if (!read.success) throw refused(read.error, 'A fee schedule')
  return read.data
}
