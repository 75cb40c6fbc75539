import { type Command, type Io, UsageError } from './command.ts'

/** Loaded when it is asked for. */
const VERBS: Readonly<Record<string, () => Promise<Command>>> = {
  load: async () => (await import('./registry/load.ts')).loadReference
}

/** `docket registry load|…`: reference data and registries that records are enriched from. */
export async function registry(args: readonly string[], io: Io): Promise<number> {
  const [verb = '', ...rest] = args
  const load = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (!load) throw new UsageError(`Say ${Object.keys(VERBS).join(', ')}.`)
  const command = await load()
  return command(rest, io)
}
