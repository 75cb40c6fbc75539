import { loadConfig } from '../../config.ts'
import { listRetentionRules, setRetentionRule } from '../../db/retention/rules.ts'
import { newId } from '../../model/ids.ts'
import { applyRetention, previewRetention } from '../../pipeline/erasure/apply-retention.ts'
import { changeHold } from '../../pipeline/erasure/legal-holds.ts'
import { loadProfiles } from '../../profiles/load-profiles.ts'
import { createFileStore } from '../../storage/file-store.ts'
import { type Io, readArguments, UsageError } from '../command.ts'
import { checkDeployed, withDatabase } from '../deployment/database.ts'
import { textTable } from '../terminal/text-table.ts'

const OPTIONS = {
  jurisdiction: { type: 'string' },
  profile: { type: 'string' },
  payload: { type: 'string' },
  record: { type: 'string' },
  batch: { type: 'string' },
  by: { type: 'string' },
  'dry-run': { type: 'boolean' }
} as const

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values']

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const MOST_DAYS = 36_500

const actorOf = ({ by }: Values): string => {
  if (by !== undefined && !/^[\w.@-]{1,100}$/.test(by)) throw new UsageError('--by is a name of letters and digits.')
  return `system:${by ?? 'operator'}`
}

/** Days, or null for what is kept for good. */
function daysOf(text: string): number | null {
  if (text === 'off') return null
  const days = Number(text)
  if (/^[1-9]\d{0,4}$/.test(text) && days <= MOST_DAYS) return days
  throw new UsageError(`"${text}" is neither a number of days from 1 to ${MOST_DAYS} nor off.`)
}

async function set(values: Values, io: Io): Promise<number> {
  const { jurisdiction, profile, payload, record } = values
  if (!jurisdiction || !profile || (payload === undefined && record === undefined)) {
    throw new UsageError('Say --jurisdiction, --profile, and --payload DAYS or --record DAYS, or off.')
  }
  const wanted = [
    ...(payload === undefined ? [] : [{ what: 'payload', days: daysOf(payload) } as const]),
    ...(record === undefined ? [] : [{ what: 'record', days: daysOf(record) } as const])
  ]
  const config = loadConfig(io.env)
  await checkDeployed(config)
  if (!(await loadProfiles(config.profileFolder)).has(profile)) throw new UsageError(`There is no profile ${profile}.`)
  await withDatabase(config, io.err, async pool => {
    for (const { what, days } of wanted) {
      const version = await setRetentionRule(pool, { jurisdiction, profile, what, days, setBy: actorOf(values) })
      io.out(`${what} ${jurisdiction}/${profile}@${version}: ${days === null ? 'kept for good' : `${days} days`}`)
    }
  })
  return 0
}

async function list({ jurisdiction }: Values, io: Io): Promise<number> {
  const config = loadConfig(io.env)
  await checkDeployed(config)
  const rules = await withDatabase(config, io.err, pool => listRetentionRules(pool, jurisdiction ?? null))
  const rows = rules.map(rule => [
    rule.jurisdiction,
    rule.profile,
    rule.what,
    String(rule.version),
    rule.days === null ? 'off' : String(rule.days),
    rule.setBy,
    rule.setAt.toISOString()
  ])
  for (const line of textTable([['jurisdiction', 'profile', 'what', 'version', 'days', 'set by', 'set at'], ...rows])) {
    io.out(line)
  }
  return 0
}

async function run(values: Values, io: Io): Promise<number> {
  const config = loadConfig(io.env)
  await checkDeployed(config)
  await withDatabase(config, io.err, async pool => {
    if (values['dry-run']) {
      const previews = await previewRetention({ pool }, values.jurisdiction ?? null)
      for (const { rule, batches, files, records } of previews) {
        const what = rule.what === 'payload' ? `${files} files` : `${records} records`
        io.out(`${rule.what} ${rule.jurisdiction}/${rule.profile}, ${rule.days} days: ${what} of ${batches} batches`)
      }
      return
    }
    const store = await createFileStore({ folder: config.payloadFolder, newId })
    io.out(`${await applyRetention({ pool, store, newId })} files and records`)
  })
  return 0
}

async function hold(values: Values, places: boolean, io: Io): Promise<number> {
  const { jurisdiction, batch, record } = values
  const id = batch ?? record
  if (!jurisdiction || id === undefined || (batch !== undefined && record !== undefined) || !UUID.test(id)) {
    throw new UsageError('Say --jurisdiction, and --batch ID or --record ID.')
  }
  const config = loadConfig(io.env)
  await checkDeployed(config)
  const kind = batch === undefined ? 'record' : 'batch'
  const isChanged = await withDatabase(config, io.err, pool =>
    changeHold({ pool, newId }, { kind, jurisdiction, id }, { actor: actorOf(values), places })
  )
  io.out(isChanged ? `${places ? 'A legal hold is on' : 'No legal hold is on'} ${kind} ${id} now.` : 'Nothing to do.')
  return 0
}

/** `docket retention set|list|run|hold|release`: how long payloads and values are kept, and what must be kept whatever a rule says. */
export async function retention(args: readonly string[], io: Io): Promise<number> {
  const [verb, ...rest] = args
  const { values, positionals } = readArguments(rest, OPTIONS)
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is too much.`)
  if (verb === 'set') return set(values, io)
  if (verb === 'list') return list(values, io)
  if (verb === 'run') return run(values, io)
  if (verb === 'hold' || verb === 'release') return hold(values, verb === 'hold', io)
  throw new UsageError('Say set, list, run, hold or release.')
}
