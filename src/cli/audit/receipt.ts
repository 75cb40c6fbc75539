import { readFile, stat } from 'node:fs/promises'
import { readVerifiers } from '../../audit/log/signing/signing-keys.ts'
import { verifyReceipt } from '../../audit/receipt/verify/verify-receipt.ts'
import { AppError } from '../../errors.ts'
import { type Io, readArguments, UsageError } from '../command.ts'

const OPTIONS = { keys: { type: 'string', multiple: true } } as const

const unreadable = (path: string): AppError => new AppError('CONFIG_INVALID', `${path} cannot be read.`)

/**
 * `docket audit receipt RECEIPT --keys FILE…`: verifies the receipt of a batch with public keys alone. Exit status 1 when
 * a check fails.
 */
export async function checkReceipt(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [path, ...more] = positionals
  const { keys = [] } = values
  if (path === undefined || more.length > 0 || keys.length === 0) {
    throw new UsageError('Say which receipt, and --keys FILE, as often as needed.')
  }
  if (!(await stat(path).catch(() => undefined))) throw unreadable(path)
  const verifiers: ReturnType<typeof readVerifiers> = []
  for (const file of keys) {
    const text = await readFile(file, 'utf8').catch(() => {
      throw unreadable(file)
    })
    verifiers.push(...readVerifiers(text, file))
  }
  const { ok, batch, totals, covered, faults, faultCount } = await verifyReceipt(path, verifiers)
  io.out(`Batch ${batch}: ${totals.files} files, ${totals.records} records, under a log of ${covered} commits.`)
  for (const { check, place, message } of faults) io.out(`FAILED ${check}: ${place}: ${message}`)
  if (faultCount > faults.length) io.out(`and ${faultCount - faults.length} more`)
  if (ok) io.out('Every check passed.')
  return ok ? 0 : 1
}
