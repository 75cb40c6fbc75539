import { type Io, UsageError } from '../command.ts'
import { printKeys } from './keys.ts'
import { checkPublicExport } from './public-export.ts'
import { checkReceipt } from './receipt.ts'
import { verifyOutside } from './verify.ts'

/** `docket audit keys|verify|receipt|public`: what outsiders verify the audit log with, and the verification itself. */
export async function audit(args: readonly string[], io: Io): Promise<number> {
  const [verb, ...rest] = args
  if (verb === 'keys') return printKeys(rest, io)
  if (verb === 'verify') return verifyOutside(rest, io)
  if (verb === 'receipt') return checkReceipt(rest, io)
  if (verb === 'public') return checkPublicExport(rest, io)
  throw new UsageError('Say keys, verify, receipt or public.')
}
