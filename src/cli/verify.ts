import type { LogKeys } from '../audit/verify/check-log.ts'
import { formatReport } from '../audit/verify/report.ts'
import { verify as verifyAll } from '../audit/verify/verify.ts'
import { type Config, loadConfig } from '../config.ts'
import { newId } from '../model/ids.ts'
import { createFileStore } from '../storage/file-store.ts'
import { loadLogKeys } from './audit/log-keys.ts'
import { type Io, readArguments, UsageError } from './command.ts'
import { checkDeployed, withDatabase } from './deployment/database.ts'

const OPTIONS = { jurisdiction: { type: 'string' }, payloads: { type: 'boolean', default: false } } as const

/** Another status than that of a failed check: a mistyped name must not pass for sound data. */
const NOTHING_CHECKED = 2

/**
 * `docket verify [--jurisdiction J] [--payloads]`: checks that nothing is lost, doubled or altered, also while the
 * deployment works; with `--payloads` every stored byte is read. Exit status 1 when a check fails, 2 when
 * there is nothing in the jurisdiction.
 */
export async function verify(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is too much.`)
  const { jurisdiction, payloads } = values
  const config = loadConfig(io.env)
  await checkDeployed(config)
  const store = await createFileStore({ folder: config.payloadFolder, newId })
  const keys = await keysToVerify(config, io)
  const report = await withDatabase(config, io.err, pool =>
    verifyAll({ pool, store, payloads, ...keys, ...(jurisdiction === undefined ? {} : { jurisdiction }) })
  )
  if (jurisdiction !== undefined && report.checked.batches === 0) {
    io.err(
      `docket: nothing was ever submitted in jurisdiction "${jurisdiction}", so nothing was checked. Correct the name, or leave it out to check all.`
    )
    return NOTHING_CHECKED
  }
  io.out(formatReport(report))
  return report.ok ? 0 : 1
}

/** The keys of the log, or none, which is said: signatures are then not checked. */
async function keysToVerify(config: Config, io: Io): Promise<{ keys?: LogKeys }> {
  const keys = await loadLogKeys(config)
  if (keys.keys.length + keys.retired.length > 0) return { keys }
  io.err(
    'docket: no key of the audit log is known here, so signatures of checkpoints are not checked. Set DOCKET_SIGNING_KEY, or DOCKET_LOG_KEYS to a file of public keys.'
  )
  return {}
}
