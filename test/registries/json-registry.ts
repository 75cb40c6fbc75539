import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { Pool } from '../../src/db/pool.ts'
import { configureSources } from '../../src/registries/configuration/configure.ts'
import { JURISDICTION } from '../helpers/factory.ts'

type Answer = (keys: readonly string[], response: ServerResponse) => void

export interface JsonRegistry {
  /** The keys of every call, in order. */
  readonly calls: (readonly string[])[]
  /** How it answers from now on. */
  answer: Answer
  /** What `docket registry configure` would be given for it. */
  settings(more?: object): { readonly [name: string]: unknown }
}

/** Every key has an entry with zone Z-<key>, but those that begin with `none`. */
export const WELL: Answer = (keys, response) => {
  const rows = keys.filter(key => !key.startsWith('none')).map(id => ({ id, zone: `Z-${id}` }))
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ rows, count: rows.length }))
}

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end('no')
  }

/** Takes the call and never answers. */
export const HANGS: Answer = () => undefined

/** A parcel registry behind HTTP whose answers a test decides. */
export async function jsonRegistry(t: Pick<Test, 'teardown'>): Promise<JsonRegistry> {
  const calls: string[][] = []
  const registry = {
    calls,
    answer: WELL,
    settings: (more: object = {}) => ({
      source: {
        adapter: 'http',
        url: `http://127.0.0.1:${port}/parcels?ids={keys}`,
        keysPerCall: 200,
        rows: '/rows',
        whole: { count: '/count' },
        key: { from: '/id' },
        fields: { zoningCode: '/zone' },
        network: { http: true, addresses: ['127.0.0.0/8'] }
      },
      ...more
    })
  }
  const server = createServer((request: IncomingMessage, response) => {
    const keys = (new URL(request.url ?? '', 'http://x').searchParams.get('ids') ?? '').split(',')
    calls.push(keys)
    registry.answer(keys, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return registry
}

/** Has a jurisdiction ask this registry for its parcels. */
export async function useRegistry(
  pool: Pool,
  registry: JsonRegistry,
  more: object = {},
  jurisdiction = JURISDICTION
): Promise<void> {
  await configureSources(pool, jurisdiction, { parcel: registry.settings(more) as never }, false)
}
