import type { Json } from '../../../model/json.ts'
import { RegistryFault } from '../../registry.ts'
import type { HttpClient } from '../client/guarded-client.ts'
import type { Reply } from '../mapping/ask-in-halves.ts'
import { memberOf } from '../mapping/pointer.ts'
import { type Feature, readPage } from './page.ts'
import type { ArcgisSettings } from './settings.ts'
import type { Tokens } from './tokens.ts'
import { createTolerance } from './tolerance.ts'

/** Parameters of a layer's `query`, unencoded. */
export type Query = Readonly<Record<string, string>>

/** One layer that is queried. */
export interface Layer {
  /** The rows of a query, all its pages if the settings say so. Throws `RegistryFault`. */
  query(query: Query, signal: AbortSignal): Promise<Reply<Feature>>
}

export interface LayerDeps {
  readonly http: HttpClient
  readonly tokens: Tokens
}

const FORM = 'application/x-www-form-urlencoded'
/** Token not accepted, and token asked for. */
const TOKEN_FAULTS = new Set(['arcgis_498', 'arcgis_499', 'http_498', 'http_499'])

/** The token never stands in an address, where proxies would write it down. */
function callOf(url: string, method: ArcgisSettings['method'], query: Query, token: string | undefined) {
  if (method === 'POST') {
    const text = new URLSearchParams({ ...query, ...(token === undefined ? {} : { token }) }).toString()
    return { method, url: new URL(`${url}/query`), body: { type: FORM, text } }
  }
  const headers = token === undefined ? {} : { 'x-esri-authorization': `Bearer ${token}` }
  return { method, url: new URL(`${url}/query?${new URLSearchParams({ ...query }).toString()}`), headers }
}

/** Rows of several pages: one that comes twice shows that the pages moved meanwhile, so that another may not have come. */
function checkPages(features: readonly Feature[], objectId: string): void {
  const ids = features.map(({ attributes }) => memberOf(attributes, objectId))
  if (ids.some(id => id === undefined || id === null)) throw new RegistryFault('configuration', 'field_missing')
  if (new Set<Json | undefined>(ids).size < ids.length) throw new RegistryFault('transient', 'pages_moved')
}

/** The layer at `url`, asked in the way of the settings. */
export function createLayer(
  url: string,
  { method, paging, maxRecordCount }: ArcgisSettings,
  { http, tokens }: LayerDeps
): Layer {
  const tolerance = createTolerance()

  const once = async (query: Query, signal: AbortSignal, again: boolean): Promise<Reply<Feature>> => {
    const token = await tokens.get(signal)
    try {
      return readPage(await http.send({ ...callOf(url, method, query, token), signal }), maxRecordCount)
    } catch (error) {
      if (!(error instanceof RegistryFault && TOKEN_FAULTS.has(error.code)) || !again || !tokens.drop(token))
        throw error
      return await once(query, signal, false)
    }
  }

  const ask = async (query: Query, signal: AbortSignal): Promise<Reply<Feature>> => {
    try {
      const page = await once(query, signal, true)
      tolerance.worked()
      return page
    } catch (error) {
      throw error instanceof RegistryFault ? tolerance.judge(error) : error
    }
  }

  return {
    async query(query, signal) {
      if (!paging) return await ask(query, signal)
      const rows: Feature[] = []
      for (let page = 0; page < paging.pages; page++) {
        const place = page === 0 ? {} : { resultOffset: String(rows.length) }
        const found = await ask({ ...query, orderByFields: paging.objectId, ...place }, signal)
        rows.push(...found.rows)
        if (found.more) continue
        if (page > 0) checkPages(rows, paging.objectId)
        return { rows, more: false }
      }
      throw new RegistryFault('transient', 'truncated')
    }
  }
}
