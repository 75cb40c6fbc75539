import { type Io, UsageError } from '../command.ts'
import { printKeys } from './keys.ts'

/** `docket audit keys`: what outsiders verify the audit log with. */
export async function audit(args: readonly string[], io: Io): Promise<number> {
  const [verb, ...rest] = args
  if (verb === 'keys') return printKeys(rest, io)
  throw new UsageError('Say keys.')
}
