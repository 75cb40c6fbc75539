import { loadConfig } from '../../config.ts'
import type { RedriveFilter } from '../../db/operations/redrivable.ts'
import { createLogger } from '../../logger.ts'
import { REASONS } from '../../model/reasons.ts'
import { createBoss } from '../../queue/boss.ts'
import { previewRedrive, type RedrivePreview, redriveHeld } from '../../review/operations/redrive-held.ts'
import { type Io, readArguments, UsageError } from '../command.ts'
import { checkDeployed, withDatabase } from '../deployment/database.ts'
import { textTable } from '../terminal/text-table.ts'

const OPTIONS = {
  jurisdiction: { type: 'string' },
  reason: { type: 'string', multiple: true },
  batch: { type: 'string' },
  source: { type: 'string' },
  'min-age': { type: 'string' },
  run: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false }
} as const

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function secondsOf(text: string): number {
  const [, count, unit = 's'] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined) throw new UsageError('--min-age takes a number with s, m, h or d, such as 2h.')
  return Number(count) * (SECONDS[unit] ?? 1)
}

interface Given {
  readonly jurisdiction?: string | undefined
  readonly reason?: string[] | undefined
  readonly batch?: string | undefined
  readonly source?: string | undefined
  readonly 'min-age'?: string | undefined
}

function filterOf(values: Given): RedriveFilter {
  const { jurisdiction, reason, batch = null, source = null, 'min-age': age } = values
  if (jurisdiction === undefined) throw new UsageError('Say --jurisdiction.')
  const codes = reason?.flatMap(text => text.split(',')) ?? null
  const unknown = codes?.find(code => !Object.hasOwn(REASONS, code))
  if (unknown !== undefined) throw new UsageError('--reason takes codes of docs/reasons.md, with commas between them.')
  if (batch !== null && !UUID.test(batch)) throw new UsageError('--batch takes the id of a batch.')
  return { jurisdiction, codes, batchId: batch, source, minAgeSeconds: age === undefined ? null : secondsOf(age) }
}

function print({ records, groups, ids }: RedrivePreview, io: Io): void {
  const rows = groups.map(one => [one.code, one.source ?? '', one.age, String(one.records), String(one.asked)])
  if (rows.length > 0) {
    for (const line of textTable([['reason', 'source', 'held', 'records', 'asked already'], ...rows])) io.out(line)
  }
  for (const id of ids) io.out(`  ${id}`)
  if (records > ids.length) io.out(`  and ${records - ids.length} more`)
}

/**
 * `docket redrive --jurisdiction J [--reason CODE] [--batch ID] [--source S] [--min-age 2h] [--run] [--json]`: which held
 * records another run would take; with `--run` they are run again. Without `--reason` those whose reason is transient.
 */
export async function redrive(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is too much.`)
  const filter = filterOf(values)
  const config = loadConfig(io.env)
  await checkDeployed(config)
  await withDatabase(config, io.err, async (pool, url) => {
    const preview = await previewRedrive({ pool }, filter)
    if (!values.json) print(preview, io)
    let retried = 0
    if (values.run) {
      const logger = createLogger({ component: 'cli', level: 'warn' })
      const boss = await createBoss({ url, role: 'api', heartbeatSeconds: config.heartbeatSeconds, logger })
      try {
        retried = (await redriveHeld({ pool, boss }, filter)).retried
      } finally {
        await boss.stop({ graceful: false })
      }
    }
    if (values.json) io.out(JSON.stringify({ ...preview, dry_run: !values.run, retried }))
    else if (values.run) io.out(`${retried} records run again.`)
    else io.out(`${preview.records} records would run again; nothing was done. With --run they are.`)
  })
  return 0
}
