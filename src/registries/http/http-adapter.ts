import { AppError } from '../../errors.ts'
import type { Adapter, RegistryKind } from '../registry.ts'
import { createArcgisAdapter } from './arcgis/arcgis-adapter.ts'
import { createPlaceAdapter } from './arcgis/place-adapter.ts'
import type { ArcgisSettings } from './arcgis/settings.ts'
import { createTokens } from './arcgis/tokens.ts'
import { type ClientDeps, createHttpClient } from './client/guarded-client.ts'
import { createJsonAdapter } from './json/json-adapter.ts'
import type { JsonSettings } from './json/settings.ts'
import { policyOf } from './mapping/rules.ts'
import type { SocrataSettings } from './socrata/settings.ts'
import { createSocrataAdapter } from './socrata/socrata-adapter.ts'

/** Settings of a registry that is asked over HTTP. */
export type HttpSettings = ArcgisSettings | SocrataSettings | JsonSettings

export interface HttpAdapterDeps extends ClientDeps {
  readonly secret: string | undefined
  /** Connections to the registry's host at once. */
  readonly connections: number
}

/** The host that is asked, with its port when it is not the usual one. */
export const hostOf = (settings: HttpSettings): string => new URL(settings.url).host

/** Every address that the settings name; no other host is ever asked. */
function addressesOf(settings: HttpSettings): readonly string[] {
  if (settings.adapter !== 'arcgis') return [settings.url]
  const { url, auth, parcels } = settings
  const login = typeof auth === 'object' ? [auth.generateToken] : []
  return [url, ...login, ...(parcels === undefined ? [] : [parcels])]
}

/**
 * The adapter for a registry behind HTTP. Throws `CONFIG_INVALID` for settings that can never work: plain HTTP without
 * leave, a secret that is missing or of the wrong form, a kind that such a registry cannot answer.
 */
export function createHttpAdapter(kind: RegistryKind, settings: HttpSettings, deps: HttpAdapterDeps): Adapter {
  if (kind === 'feeSchedule' && settings.adapter !== 'http') {
    throw new AppError('CONFIG_INVALID', 'Fee schedules come from tables or from an http registry.')
  }
  const http = createHttpClient(policyOf(settings.network, addressesOf(settings), deps.connections), deps)
  const { secret, now } = deps
  if (settings.adapter === 'socrata') return createSocrataAdapter(kind, settings, { http, secret })
  if (settings.adapter === 'http') return createJsonAdapter(kind, settings, { http, secret })
  const layers = { http, tokens: createTokens(settings.auth, { http, secret, now }) }
  return settings.parcels === undefined
    ? createArcgisAdapter(kind, settings, layers)
    : createPlaceAdapter(kind, settings, settings.parcels, layers)
}
