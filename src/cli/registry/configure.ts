import { readFile } from 'node:fs/promises'
import { loadConfig } from '../../config.ts'
import { AppError } from '../../errors.ts'
import type { Json } from '../../model/json.ts'
import { configureSources } from '../../registries/configuration/configure.ts'
import { openAdapter, readSecretOf } from '../../registries/configuration/open-adapter.ts'
import { createSecrets, type ReadSecret } from '../../registries/configuration/secrets.ts'
import { ConfigurationFile, faultsOf } from '../../registries/configuration/settings.ts'
import { REGISTRY_KINDS, type RegistryKind } from '../../registries/registry.ts'
import { type Io, readArguments, UsageError } from '../command.ts'
import { checkDeployed, withDatabase } from '../deployment/database.ts'
import { textTable } from '../terminal/text-table.ts'

const OPTIONS = { 'dry-run': { type: 'boolean', default: false } } as const

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new AppError('CONFIG_INVALID', `The file cannot be opened (${error.code}): ${path}`)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('CONFIG_INVALID', `The file is not valid JSON: ${path}`)
  }
}

interface Checked {
  readonly jurisdiction: string
  /** As the file says them. */
  readonly registries: Partial<Record<RegistryKind, Json>>
}

/** Throws `CONFIG_INVALID` with every fault of the file: its form, its secrets, and what an adapter cannot do. */
async function check(content: unknown, secrets: ReadSecret): Promise<Checked> {
  const parsed = ConfigurationFile.safeParse(content)
  if (!parsed.success) {
    throw new AppError('CONFIG_INVALID', `The file has faults:\n  ${faultsOf(parsed.error).join('\n  ')}`)
  }
  const { jurisdiction, registries } = parsed.data
  const faults: string[] = []
  for (const kind of REGISTRY_KINDS) {
    const settings = registries[kind]
    if (!settings) continue
    try {
      const configured = { jurisdiction, kind, settings }
      openAdapter(configured, await readSecretOf(configured, secrets))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      faults.push(`registries.${kind}: ${error.message}`)
    }
  }
  if (faults.length > 0) throw new AppError('CONFIG_INVALID', `The file has faults:\n  ${faults.join('\n  ')}`)
  // Checked above to be of this form; kept as written, without defaults.
  return content as Checked
}

/**
 * `docket registry configure FILE.json [--dry-run]`: says which registry a jurisdiction asks for each kind. Workers take it
 * up within seconds. A changed registry starts with nothing cached and with a closed breaker.
 */
export async function configureRegistries(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0) throw new UsageError('Say the file with the configuration.')
  const config = loadConfig(io.env)
  const { jurisdiction, registries } = await check(await readJson(path), createSecrets(config.secretsFolder))
  await checkDeployed(config)
  const changes = await withDatabase(config, io.err, pool =>
    configureSources(pool, jurisdiction, registries, values['dry-run'])
  )
  const rows = changes.map(({ kind, change, version }) => [kind, change, version])
  for (const line of textTable([['registry', 'change', 'version'], ...rows])) io.out(line)
  if (values['dry-run']) io.out('Nothing was written: this was a dry run.')
  return 0
}
