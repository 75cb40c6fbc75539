import { loadConfig } from '../../config.ts'
import { listRegistryStatuses, type StatusRow } from '../../db/registries/statuses.ts'
import { type Io, readArguments, UsageError } from '../command.ts'
import { checkDeployed, withDatabase } from '../deployment/database.ts'
import { textTable } from '../terminal/text-table.ts'

const OPTIONS = { jurisdiction: { type: 'string' } } as const

function adapterOf({ settings }: StatusRow): string {
  const source = (settings as { readonly source?: { readonly adapter?: unknown } } | null)?.source
  return typeof source?.adapter === 'string' ? source.adapter : 'table'
}

function stateOf({ state, code, retryAt }: StatusRow): string {
  if (state === 'closed') return code === null ? 'asked' : `asked, last failed: ${code}`
  return `not asked: ${code}, tried again ${retryAt?.toISOString()}`
}

/**
 * `docket registry status [--jurisdiction J]`: how each registry fares. Exit status 1 when one waits for an operator, so
 * that it can be watched by a monitor.
 */
export async function registryStatus(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is too much.`)
  const config = loadConfig(io.env)
  await checkDeployed(config)
  const statuses = await withDatabase(config, io.err, pool => listRegistryStatuses(pool, values.jurisdiction ?? null))
  const rows = statuses.map(row => [
    row.jurisdiction,
    row.kind,
    adapterOf(row),
    row.version ?? '',
    row.cached,
    stateOf(row),
    row.alert === null ? '' : `${row.alert} since ${row.alertSince?.toISOString()}`
  ])
  const head = ['jurisdiction', 'registry', 'adapter', 'version', 'cached', 'state', 'to be mended']
  for (const line of textTable([head, ...rows])) io.out(line)
  return statuses.some(row => row.alert !== null) ? 1 : 0
}
