import { loadConfig } from '../../../config.ts'
import { listFeeSchedules } from '../../../db/registries/fee-schedules.ts'
import { readScheduleFile } from '../../../registries/fees/read-schedule.ts'
import type { FeeSchedule } from '../../../registries/fees/schedule.ts'
import { schedulesOf } from '../../../registries/fees/stored-schedules.ts'
import { type Io, readArguments, UsageError } from '../../command.ts'
import { checkDeployed, withDatabase } from '../../deployment/database.ts'
import { check, findingLines } from './findings.ts'
import { readJsonFile } from './read-file.ts'

async function stored(jurisdiction: string, io: Io): Promise<readonly FeeSchedule[]> {
  const config = loadConfig(io.env)
  await checkDeployed(config)
  return withDatabase(config, io.err, async pool => schedulesOf(await listFeeSchedules(pool, jurisdiction)))
}

/**
 * `docket registry lint FILE.json` or `docket registry lint --jurisdiction J`: looks fee schedules over. Answers 1 when
 * something in them is wrong or not signed off.
 */
export async function lintFees(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, { jurisdiction: { type: 'string' } })
  const [path, ...more] = positionals
  const { jurisdiction } = values
  if (more.length > 0 || (path === undefined) === (jurisdiction === undefined)) {
    throw new UsageError('Name a file of fee schedules, or with --jurisdiction those that are loaded.')
  }
  const schedules =
    path === undefined ? await stored(jurisdiction ?? '', io) : readScheduleFile(await readJsonFile(path)).schedules
  const checked = check(schedules)
  for (const line of findingLines(checked)) io.out(line)
  io.out(`${schedules.length} schedules, ${checked.findings.length} findings, ${checked.open.length} of them open`)
  return checked.open.length > 0 ? 1 : 0
}
