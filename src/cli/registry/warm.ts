import { type Config, loadConfig } from '../../config.ts'
import type { Pool } from '../../db/pool.ts'
import { listRemoteJurisdictions } from '../../db/registries/awaited-work.ts'
import { createLogger } from '../../logger.ts'
import { newId } from '../../model/ids.ts'
import { START, type WarmDeps, type Warmed } from '../../pipeline/warm/warm-jurisdiction.ts'
import { type Outcome, warmRegistries } from '../../pipeline/warm/warm-registries.ts'
import { loadProfiles } from '../../profiles/load-profiles.ts'
import { openRegistries } from '../../registries/open-look-ups.ts'
import { createFileStore } from '../../storage/file-store.ts'
import { type Io, readArguments, UsageError } from '../command.ts'
import { checkDeployed, withDatabase } from '../deployment/database.ts'
import { withStopSignal } from '../terminal/stop-signal.ts'
import { textTable } from '../terminal/text-table.ts'

const OPTIONS = { jurisdiction: { type: 'string' } } as const

/** Another status than that of a registry that is away: a mistyped name must not pass for a warm cache. */
const NOTHING_TO_WARM = 2

async function depsOf(config: Config, pool: Pool, io: Io): Promise<WarmDeps> {
  const logger = createLogger({
    component: 'warm',
    level: 'error',
    destination: { write: line => io.err(line.trimEnd()) }
  })
  const { secretsFolder, recordConcurrency, enrichmentTimeoutMs, payloadFolder, profileFolder } = config
  const limits = { atOnce: recordConcurrency, timeoutMs: enrichmentTimeoutMs }
  return {
    pool,
    logger,
    store: await createFileStore({ folder: payloadFolder, newId }),
    profiles: await loadProfiles(profileFolder),
    today: () => new Date().toISOString().slice(0, 10),
    ...openRegistries({ pool, logger, newId, secretsFolder, ...limits })
  }
}

const rowsOf = ({ jurisdiction, counts, away }: Warmed): (string | number)[][] =>
  [...new Set([...counts.keys(), ...away])].map(kind => {
    const { keys = 0, kept = 0, asked = 0, unanswered = 0 } = counts.get(kind) ?? {}
    return [jurisdiction, kind, keys, kept, asked, unanswered, away.includes(kind) ? 'does not answer' : 'answers']
  })

/** Tells what was done, and answers whether all of it could be. */
function report(outcomes: readonly Outcome[], io: Io): boolean {
  const warmed = outcomes.flatMap(one => ('failed' in one ? [] : [one]))
  const head = ['jurisdiction', 'registry', 'keys', 'kept', 'asked', 'unanswered', 'state']
  for (const line of textTable([head, ...warmed.flatMap(rowsOf)])) io.out(line)
  const sum = (of: (one: Warmed) => number): number => warmed.reduce((total, one) => total + of(one), 0)
  io.out(`${sum(one => one.chunks)} chunks were gone through, ${sum(one => one.documents)} documents are not read yet.`)
  for (const one of outcomes)
    if ('failed' in one) io.err(`docket: jurisdiction ${one.jurisdiction} could not be gone through`)
  return warmed.length === outcomes.length && warmed.every(({ away }) => away.length === 0)
}

/**
 * `docket registry warm [--jurisdiction J]`: asks registries elsewhere ahead for what pending work will ask them, so that
 * it finds the answers kept. Exit status 1 when a registry did not answer or it was stopped before the end, 2 when there is
 * no such registry.
 */
export async function warmRegistryCache(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is too much.`)
  const config = loadConfig(io.env)
  await checkDeployed(config)
  return withDatabase(config, io.err, async pool => {
    const all = await listRemoteJurisdictions(pool)
    const { jurisdiction } = values
    const jurisdictions = jurisdiction === undefined ? all : all.filter(one => one === jurisdiction)
    if (jurisdictions.length === 0) {
      const where = jurisdiction === undefined ? 'No jurisdiction' : `Jurisdiction "${jurisdiction}" is not one that`
      io.err(`docket: ${where} asks a registry elsewhere, so there is nothing to ask ahead.`)
      return NOTHING_TO_WARM
    }
    const deps = await depsOf(config, pool, io)
    return withStopSignal(async signal => {
      const now = (): number => performance.now()
      const bounds = { from: START, most: Infinity, until: Infinity, freshSeconds: 0 }
      const outcomes = await warmRegistries(deps, jurisdictions, () => ({ ...bounds, now, signal }))
      const isWhole = report(outcomes, io)
      if (signal.aborted) io.err('docket: stopped before the end')
      return isWhole && !signal.aborted ? 0 : 1
    })
  })
}
