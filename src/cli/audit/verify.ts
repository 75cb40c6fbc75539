import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readVerifiers } from '../../audit/log/signing/signing-keys.ts'
import { type OutsideReport, verifyExport } from '../../audit/outside/verify-export.ts'
import { AppError } from '../../errors.ts'
import { type Io, readArguments, UsageError } from '../command.ts'

const OPTIONS = {
  checkpoints: { type: 'string', multiple: true },
  keys: { type: 'string', multiple: true },
  payloads: { type: 'string' }
} as const

const unreadable = (path: string): AppError => new AppError('CONFIG_INVALID', `${path} cannot be read.`)

/** Files, and those of folders; links to one of them are left out. */
async function filesOf(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const info = await stat(path).catch(() => undefined)
    if (!info) throw unreadable(path)
    if (!info.isDirectory()) found.push(path)
    else {
      const entries = await readdir(path, { withFileTypes: true })
      const files = entries.filter(entry => entry.isFile() && !entry.name.startsWith('.'))
      found.push(...files.map(entry => join(path, entry.name)))
    }
  }
  return found.toSorted()
}

/** Reads payloads of a folder in which they lie by the ids of their files. */
const payloadsIn = (folder: string) => async (id: string) => {
  try {
    const hash = createHash('sha256')
    for await (const part of createReadStream(join(folder, id))) hash.update(part as Buffer)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

function print(report: OutsideReport, io: Io): void {
  const { commits, entries, subjects, checkpoints, faults, faultCount } = report
  io.out(`Checked ${commits} commits, ${entries} entries, ${subjects} subjects, ${checkpoints} checkpoints.`)
  for (const { check, place, message } of faults) io.out(`FAILED ${check}: ${place}: ${message}`)
  if (faultCount > faults.length) io.out(`and ${faultCount - faults.length} more`)
  if (faultCount === 0 && checkpoints === 0) {
    io.out('NOT PROVED: no checkpoint was found, and a log that was made anew as a whole looks like this too.')
  }
  if (report.ok) io.out('Every check passed.')
}

/**
 * `docket audit verify EXPORT --checkpoints FILE… --keys FILE… [--payloads FOLDER]`: verifies an export of the audit log
 * without any database. Exit status 1 when a check fails or no checkpoint covers it.
 */
export async function verifyOutside(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [exportPath, ...more] = positionals
  const { checkpoints = [], keys = [], payloads } = values
  if (exportPath === undefined || more.length > 0 || keys.length === 0) {
    throw new UsageError(
      'Say which export, --checkpoints FILE or FOLDER, and --keys FILE; each of the two as often as needed.'
    )
  }
  if (!(await stat(exportPath).catch(() => undefined))) throw unreadable(exportPath)
  const read = (path: string): Promise<string> =>
    readFile(path, 'utf8').catch(() => {
      throw unreadable(path)
    })
  const lines = await Promise.all(keys.map(async path => readVerifiers(await read(path), path)))
  const notes = await Promise.all((await filesOf(checkpoints)).map(async name => ({ name, text: await read(name) })))
  const report = await verifyExport({
    exportPath,
    notes,
    keys: lines.flat(),
    ...(payloads === undefined ? {} : { payload: payloadsIn(payloads) })
  })
  print(report, io)
  return report.ok ? 0 : 1
}
