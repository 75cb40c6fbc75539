import { readFile, stat } from 'node:fs/promises'
import { readVerifiers } from '../../audit/log/signing/signing-keys.ts'
import { type Disclosure, verifyPublicExport } from '../../audit/public-export/verify-public-export.ts'
import { AppError } from '../../errors.ts'
import { type Io, readArguments, UsageError } from '../command.ts'

const OPTIONS = {
  keys: { type: 'string', multiple: true },
  disclosed: { type: 'string', multiple: true }
} as const

const unreadable = (path: string): AppError => new AppError('CONFIG_INVALID', `${path} cannot be read.`)

const read = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw unreadable(path)
  })

/** A disclosure as the API answers it. */
async function readDisclosure(path: string): Promise<Disclosure> {
  const text = await read(path)
  try {
    const value = JSON.parse(text) as Disclosure
    if (typeof value.record === 'string' && typeof value.field === 'string' && typeof value.salt === 'string')
      return value
  } catch {
    // Said below.
  }
  throw new UsageError(`${path} is not a disclosure as it is answered.`)
}

/**
 * `docket audit public EXPORT --keys FILE… [--disclosed FILE…]`: verifies an export for a public-records request, and that
 * fields disclosed later are what was withheld. Exit status 1 when a check fails.
 */
export async function checkPublicExport(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [path, ...more] = positionals
  const { keys = [], disclosed = [] } = values
  if (path === undefined || more.length > 0 || keys.length === 0) {
    throw new UsageError('Say which export, and --keys FILE, as often as needed.')
  }
  if (!(await stat(path).catch(() => undefined))) throw unreadable(path)
  const verifiers = await Promise.all(keys.map(async file => readVerifiers(await read(file), file)))
  const report = await verifyPublicExport(path, verifiers.flat(), await Promise.all(disclosed.map(readDisclosure)))
  io.out(`Checked ${report.records} records, ${report.withheld} withheld fields, ${report.disclosed} disclosures.`)
  for (const { check, place, message } of report.faults) io.out(`FAILED ${check}: ${place}: ${message}`)
  if (report.faults.length === 0) io.out('Every check passed.')
  return report.faults.length === 0 ? 0 : 1
}
