import { formatReport } from '../audit/verify/report.ts'
import { verify as verifyAll } from '../audit/verify/verify.ts'
import { loadConfig } from '../config.ts'
import { newId } from '../model/ids.ts'
import { createFileStore } from '../storage/file-store.ts'
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
  const report = await withDatabase(config, io.err, pool =>
    verifyAll({ pool, store, payloads, ...(jurisdiction === undefined ? {} : { jurisdiction }) })
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
