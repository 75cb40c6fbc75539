import { ArcgisSettings } from '../../../../src/registries/http/arcgis/settings.ts'
import type { HttpSettings } from '../../../../src/registries/http/http-adapter.ts'
import { JsonSettings } from '../../../../src/registries/http/json/settings.ts'
import { SocrataSettings } from '../../../../src/registries/http/socrata/settings.ts'
import { DATASET, LAYER } from './protocols.ts'

const network = { http: true, addresses: ['127.0.0.0/8'], maxBytes: 2_000_000 }

export const arcgisSettings = (origin: string, more: object = {}): ArcgisSettings =>
  ArcgisSettings.parse({
    adapter: 'arcgis',
    url: `${origin}${LAYER}`,
    key: { from: 'PIN' },
    fields: {
      zoningCode: 'ZONE',
      siteAddress: 'ADDR',
      ownerName: 'OWNER',
      retired: { from: 'STATUS', trueWhen: ['R'] },
      overlays: { from: 'OVERLAYS', split: ';' }
    },
    asOf: 'UPDATED',
    network,
    ...more
  })

export const socrataSettings = (origin: string, more: object = {}): SocrataSettings =>
  SocrataSettings.parse({
    adapter: 'socrata',
    url: origin,
    dataset: DATASET,
    key: { from: 'pin' },
    fields: {
      zoningCode: 'zone',
      siteAddress: 'addr',
      ownerName: 'owner',
      retired: { from: 'status', trueWhen: ['R'] },
      overlays: { from: 'overlays', split: ';' }
    },
    asOf: 'updated',
    network,
    ...more
  })

export const jsonSettings = (origin: string, more: object = {}): JsonSettings =>
  JsonSettings.parse({
    adapter: 'http',
    url: `${origin}/v1/search`,
    method: 'POST',
    body: { ids: '{keys}' },
    keysPerCall: 500,
    rows: '/data/parcels',
    whole: { count: '/total' },
    key: { from: '/id' },
    fields: {
      zoningCode: '/zoning/code',
      siteAddress: '/situs',
      ownerName: '/owners/0/name',
      retired: '/isRetired',
      overlays: '/zoning/overlays'
    },
    asOf: '/updated',
    network,
    ...more
  })

/** One key a call, in the path; a 404 that says so is an answer. */
export const oneKeySettings = (origin: string): JsonSettings =>
  jsonSettings(origin, {
    url: `${origin}/v1/parcels/{key}`,
    method: 'GET',
    body: undefined,
    keysPerCall: 1,
    noMatch: { pointer: '/code', equals: 'NOT_FOUND' }
  })

/** Every way of asking the server. */
export const WAYS: Readonly<Record<string, (origin: string) => HttpSettings>> = {
  'ArcGIS by POST': origin => arcgisSettings(origin),
  'ArcGIS by GET, in pages': origin =>
    arcgisSettings(origin, { method: 'GET', requestBytes: 8000, paging: { objectId: 'OBJECTID' } }),
  'Socrata 2.1': origin => socrataSettings(origin),
  'Socrata 3': origin => socrataSettings(origin, { version: '3' }),
  'JSON, many keys': origin => jsonSettings(origin),
  'JSON, one key': oneKeySettings
}
