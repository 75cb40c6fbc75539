import { type Io, UsageError } from '../command.ts'
import { loadRules } from './load-rules.ts'

/** `docket rules load FILE.json [--dry-run]`: the rules of a jurisdiction. */
export async function rules(args: readonly string[], io: Io): Promise<number> {
  const [verb, ...rest] = args
  if (verb !== 'load') throw new UsageError('Say load and the file of rules.')
  return loadRules(rest, io)
}
