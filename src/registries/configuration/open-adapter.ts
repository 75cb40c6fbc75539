import { AppError } from '../../errors.ts'
import { createHttpAdapter, hostOf } from '../http/http-adapter.ts'
import type { Adapter, RegistryKind } from '../registry.ts'
import type { ReadSecret } from './secrets.ts'
import type { SourceSettings } from './settings.ts'

export interface Configured {
  readonly jurisdiction: string
  readonly kind: RegistryKind
  readonly settings: SourceSettings
}

/** The secret that settings name; undefined when they name none. Throws `CONFIG_INVALID` when there is no such secret. */
export async function readSecretOf(
  { jurisdiction, settings }: Configured,
  secrets: ReadSecret
): Promise<string | undefined> {
  if (settings.secret === undefined) return undefined
  const secret = await secrets(jurisdiction, settings.secret)
  if (secret !== undefined) return secret
  throw new AppError(
    'CONFIG_INVALID',
    `There is no secret ${settings.secret}: put it into the file ${jurisdiction}/${settings.secret} of the folder that DOCKET_SECRETS names, for this command and for the workers alike.`
  )
}

/** An adapter for a registry elsewhere, and the host it asks. */
export interface Opened {
  readonly adapter: Adapter
  readonly host: string
}

/**
 * The adapter that settings ask for; undefined for tables. Throws `CONFIG_INVALID` for what can never work as it is
 * configured.
 */
export function openAdapter({ kind, settings }: Configured, secret: string | undefined): Opened | undefined {
  const { source, concurrency } = settings
  if (source.adapter === 'table') return undefined
  const adapter = createHttpAdapter(kind, source, { secret, connections: concurrency, now: () => Date.now() })
  return { adapter, host: hostOf(source) }
}
