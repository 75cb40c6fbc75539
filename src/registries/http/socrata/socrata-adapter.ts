import type { Json } from '../../../model/json.ts'
import type { Adapter, RegistryKind } from '../../registry.ts'
import type { HttpCall, HttpClient } from '../client/guarded-client.ts'
import { answersOf } from '../mapping/answers.ts'
import { askInHalves } from '../mapping/ask-in-halves.ts'
import { columnsOf } from '../mapping/columns.ts'
import { type Auth, credentialsOf } from '../mapping/credentials.ts'
import { splitBySize, whereOf } from '../mapping/key-lists.ts'
import { type JsonObject, memberOf } from '../mapping/pointer.ts'
import { isAskable } from '../mapping/read-value.ts'
import { readRows } from './rows.ts'
import type { SocrataSettings } from './settings.ts'

/** Addresses longer than eight kilobytes are refused by many servers and proxies. */
const REQUEST_BYTES = { '2.1': 7000, '3': 200_000 }
const AUTH: Readonly<Record<'appToken' | 'basic', Auth>> = { appToken: { header: 'x-app-token' }, basic: 'basic' }

type Call = Omit<HttpCall, 'signal'>

/** Rows come in no order unless one is asked for; which candidates are shown should not change from call to call. */
function byAddress(settings: SocrataSettings, columns: string, where: string): Call {
  const url = new URL(`/resource/${settings.dataset}.json`, settings.url)
  const query = { $select: columns, $where: where, $order: ':id', $limit: String(settings.rows) }
  url.search = new URLSearchParams(query).toString()
  return { method: 'GET', url }
}

function byBody(settings: SocrataSettings, columns: string, where: string): Call {
  const text = JSON.stringify({
    query: `SELECT ${columns} WHERE ${where} ORDER BY :id`,
    page: { pageNumber: 1, pageSize: settings.rows },
    includeSynthetic: false
  })
  const url = new URL(`/api/v3/views/${settings.dataset}/query.json`, settings.url)
  return { method: 'POST', url, body: { type: 'application/json', text } }
}

/** Socrata leaves out what is null, so a column that is not in a row is empty; one that is gone is told by the server. */
const get = (row: JsonObject, from: string): Json => memberOf(row, from) ?? null

/** Answers keys from a data set of Socrata, many at a time. Throws `CONFIG_INVALID` when a secret is missing. */
export function createSocrataAdapter(
  kind: RegistryKind,
  settings: SocrataSettings,
  { http, secret }: { readonly http: HttpClient; readonly secret: string | undefined }
): Adapter {
  const headers = credentialsOf(settings.auth && AUTH[settings.auth], secret)
  const columns = columnsOf(settings).join(',')
  const callOf = settings.version === '3' ? byBody : byAddress

  const setsOf = (keys: readonly string[], asOf: string): readonly (readonly string[])[] => {
    const empty = callOf(settings, columns, whereOf([], settings, asOf))
    const fixed = empty.url.href.length + (empty.body?.text.length ?? 0)
    const most = settings.requestBytes ?? REQUEST_BYTES[settings.version]
    return splitBySize(keys, settings.key, most - fixed)
  }

  return {
    kind,
    keysPerCall: settings.keysPerCall,
    async lookUp(keys, { asOf, signal }) {
      const asked = keys.filter(key => isAskable(key, settings.key))
      const replies = await askInHalves(setsOf(asked, asOf), async set => {
        const call = callOf(settings, columns, whereOf(set, settings, asOf))
        const rows = readRows(await http.send({ ...call, headers, signal }))
        // The server does not say that there are more: as many as were asked for may not be all.
        return { rows, more: rows.length >= settings.rows }
      })
      return answersOf(keys, replies, { kind, mapping: settings, get })
    }
  }
}
