import { loadConfig } from '../../../config.ts'
import type { Pool, Tx } from '../../../db/pool.ts'
import { listFeeSchedules, lockFeeSchedules, saveFeeSchedules } from '../../../db/registries/fee-schedules.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { AppError } from '../../../errors.ts'
import { jsonChanges } from '../../../model/data/json-changes.ts'
import type { Json } from '../../../model/json.ts'
import { signOff } from '../../../registries/fees/lint/lint-schedules.ts'
import { readScheduleFile, type ScheduleFile } from '../../../registries/fees/read-schedule.ts'
import type { FeeSchedule } from '../../../registries/fees/schedule.ts'
import { schedulesOf } from '../../../registries/fees/stored-schedules.ts'
import { type Io, readArguments, UsageError } from '../../command.ts'
import { checkDeployed, withDatabase } from '../../deployment/database.ts'
import { check, findingLines } from './findings.ts'
import { readJsonFile } from './read-file.ts'

const OPTIONS = { 'dry-run': { type: 'boolean', default: false }, 'sign-off': { type: 'string' } } as const

interface Load {
  readonly file: ScheduleFile
  readonly isDryRun: boolean
  readonly signedOffBy: string | undefined
}

/** The schedules in their stored form: plain data without members that stand for nothing. */
const plain = (schedule: FeeSchedule): Json => JSON.parse(JSON.stringify(schedule)) as Json

/** Which of the schedules differ from those of the same id, and how. */
function differences(stored: readonly FeeSchedule[], given: readonly FeeSchedule[], io: Io): FeeSchedule[] {
  const byId = new Map(stored.map(schedule => [schedule.id, schedule]))
  return given.filter(schedule => {
    const before = byId.get(schedule.id)
    if (!before) {
      io.out(`added      ${schedule.id}`)
      return true
    }
    const changes = jsonChanges(plain(before), plain(schedule))
    io.out(`${changes.length > 0 ? 'changed  ' : 'unchanged'}  ${schedule.id}`)
    for (const change of changes) io.out(`             ${change}`)
    return changes.length > 0
  })
}

/** The file's schedules, signed off where that was asked for; throws when one may not be loaded beside the stored ones. */
function judged(stored: readonly FeeSchedule[], { file, signedOffBy }: Load, io: Io): readonly FeeSchedule[] {
  const ids = new Set(file.schedules.map(({ id }) => id))
  const others = stored.filter(({ id }) => !ids.has(id))
  const { findings } = check([...others, ...file.schedules])
  const given = signedOffBy === undefined ? file.schedules : signOff(file.schedules, findings, signedOffBy)
  const checked = check([...others, ...given])
  for (const line of findingLines(checked)) io.err(line)
  if (checked.open.length > 0) {
    throw new AppError(
      'FEE_SCHEDULE_INVALID',
      `${checked.open.length} findings stand in the way, listed above; nothing was loaded. Mend the errors. What the adopted text really says is loaded with --sign-off NAME of who has looked.`
    )
  }
  return given
}

async function loadInto(tx: Tx, load: Load, io: Io): Promise<void> {
  const { jurisdiction } = load.file
  await lockFeeSchedules(tx, jurisdiction)
  const stored = schedulesOf(await listFeeSchedules(tx, jurisdiction))
  const changed = differences(stored, judged(stored, load, io), io)
  if (load.isDryRun || changed.length === 0) {
    io.out(load.isDryRun ? 'Nothing was loaded: this was a dry run.' : 'There was nothing to load.')
    return
  }
  const rows = changed.map(schedule => ({
    id: schedule.id,
    effectiveFrom: schedule.effective_from,
    effectiveTo: schedule.effective_to,
    definition: plain(schedule)
  }))
  await saveFeeSchedules(tx, jurisdiction, rows, load.signedOffBy ?? 'command line')
  io.out(`Loaded ${changed.length} of ${load.file.schedules.length} schedules for ${jurisdiction}.`)
}

/**
 * `docket registry load fees FILE.json [--dry-run] [--sign-off NAME]`: takes fee schedules of one jurisdiction in, tells how
 * they differ from those there, and refuses what cannot be right or what nobody has signed off.
 */
export async function loadFees(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0) throw new UsageError('Name one file of fee schedules.')
  if (values['sign-off']?.trim() === '') throw new UsageError('--sign-off takes the name of who has looked.')
  const file = readScheduleFile(await readJsonFile(path))
  const config = loadConfig(io.env)
  await checkDeployed(config)
  const load = { file, isDryRun: values['dry-run'], signedOffBy: values['sign-off'] }
  await withDatabase(config, io.err, (pool: Pool) => withTransaction(pool, tx => loadInto(tx, load, io)))
  return 0
}
