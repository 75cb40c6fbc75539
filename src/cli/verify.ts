import { formatReport } from '../audit/verify/report.ts'
import { verify as verifyAll } from '../audit/verify/verify.ts'
import { loadConfig } from '../config.ts'
import { newId } from '../model/ids.ts'
import { createFileStore } from '../storage/file-store.ts'
import { type Io, readArguments, UsageError } from './command.ts'
import { checkDeployed, withDatabase } from './deployment/database.ts'

const OPTIONS = { jurisdiction: { type: 'string' }, payloads: { type: 'boolean', default: false } } as const

/**
 * `docket verify [--jurisdiction J] [--payloads]`: checks that nothing is lost, doubled or altered, also while the
 * deployment works; with `--payloads` every stored byte is read. Exit status 1 when a check fails.
 */
export async function verify(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is too much.`)
  const { jurisdiction, payloads } = values
  const config = loadConfig(io.env)
  await checkDeployed(config)
  const store = await createFileStore({ folder: config.payloadFolder, newId })
  const report = await withDatabase(config, io.err, pool =>
    verifyAll({ pool, store, payloads, ...(jurisdiction === undefined ? {} : { jurisdiction }) })
  )
  if (jurisdiction !== undefined && report.checked.batches === 0)
    io.err(`docket: nothing was ever submitted in jurisdiction "${jurisdiction}".`)
  io.out(formatReport(report))
  return report.ok ? 0 : 1
}
