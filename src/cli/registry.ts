import { type Command, type Io, UsageError } from './command.ts'

/** Loaded when it is asked for. */
const VERBS: Readonly<Record<string, () => Promise<Command>>> = {
  load: async () => (await import('./registry/load.ts')).loadReference,
  'load fees': async () => (await import('./registry/fees/load-fees.ts')).loadFees,
  lint: async () => (await import('./registry/fees/lint-fees.ts')).lintFees,
  configure: async () => (await import('./registry/configure.ts')).configureRegistries,
  warm: async () => (await import('./registry/warm.ts')).warmRegistryCache,
  status: async () => (await import('./registry/status.ts')).registryStatus
}

/** `docket registry load|…`: reference data and registries that records are enriched from. */
export async function registry(args: readonly string[], io: Io): Promise<number> {
  const words = args[0] === 'load' && args[1] === 'fees' ? 2 : 1
  const [verb, rest] = [args.slice(0, words).join(' '), args.slice(words)]
  const load = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (!load) throw new UsageError(`Say ${Object.keys(VERBS).join(', ')}.`)
  const command = await load()
  return command(rest, io)
}
