import type { Adapter, Answer, AskContext, RegistryKind } from '../../registry.ts'
import { answersOf } from '../mapping/answers.ts'
import { askInHalves } from '../mapping/ask-in-halves.ts'
import { columnsOf } from '../mapping/columns.ts'
import { splitBySize, whereOf } from '../mapping/key-lists.ts'
import { memberOf } from '../mapping/pointer.ts'
import { isAskable } from '../mapping/read-value.ts'
import { createLayer, type LayerDeps, type Query } from './layer.ts'
import type { Feature } from './page.ts'
import type { ArcgisSettings } from './settings.ts'

/** What servers and proxies take: four megabytes of a form, and two thousand bytes of an address. */
const REQUEST_BYTES = { POST: 200_000, GET: 2000 }

/** Keys in sets for requests that stay below the size a server takes. */
export function setsOf(
  keys: readonly string[],
  settings: ArcgisSettings,
  rest: Query,
  asOf: string
): readonly (readonly string[])[] {
  const { method, requestBytes = REQUEST_BYTES[method] } = settings
  const query = new URLSearchParams({ ...rest, where: whereOf([], settings, asOf) })
  return splitBySize(keys, settings.key, requestBytes - settings.url.length - query.toString().length)
}

/** Answers keys from a layer with a column of keys, many at a time (`COLUMN IN (…)`). */
export function createArcgisAdapter(kind: RegistryKind, settings: ArcgisSettings, deps: LayerDeps): Adapter {
  const layer = createLayer(settings.url, settings, deps)
  const columns = [...new Set([...columnsOf(settings), ...(settings.paging ? [settings.paging.objectId] : [])])]
  const rest = { f: 'json', returnGeometry: 'false', outFields: settings.columns === 'all' ? '*' : columns.join(',') }
  const get = ({ attributes }: Feature, from: string) => memberOf(attributes, from)
  return {
    kind,
    keysPerCall: settings.keysPerCall,
    async lookUp(keys, { asOf, signal }: AskContext): Promise<ReadonlyMap<string, Answer>> {
      const asked = keys.filter(key => isAskable(key, settings.key))
      const replies = await askInHalves(setsOf(asked, settings, rest, asOf), set =>
        layer.query({ ...rest, where: whereOf(set, settings, asOf) }, signal)
      )
      return answersOf(keys, replies, { kind, mapping: settings, get })
    }
  }
}
