import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export const WAYS = ['well', 'slow', 'hangs', 'down'] as const
export type Way = (typeof WAYS)[number]

/** Less than a look-up may take, so that nothing tells it from a registry that is well but for its answers being late. */
const SLOW_MS = 4000

/** A registry of parcels over HTTP that is well, answers in four seconds, takes calls and never answers, or is not there. */
export interface OutageRegistry {
  readonly calls: () => number
  /** As `docket registry configure` takes them. */
  readonly settings: { readonly [name: string]: unknown }
  become(way: Way): Promise<void>
  stop(): Promise<void>
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}

/** The zone of a parcel, so that every answer can be told from a wrong one. */
export const zoneOf = (parcel: string): string => `Z-${parcel}`

export async function startOutageRegistry(): Promise<OutageRegistry> {
  let way: Way = 'well'
  let calls = 0
  const answer = async (keys: readonly string[], response: ServerResponse): Promise<void> => {
    if (way === 'hangs') return
    if (way === 'slow') await sleep(SLOW_MS)
    const rows = keys.map(id => ({ id, zone: zoneOf(id) }))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ rows, count: rows.length }))
  }
  const server = createServer((request, response) => {
    calls += 1
    const keys = new URL(request.url ?? '', 'http://x').searchParams.get('ids') ?? ''
    void answer(keys.split(','), response)
  })
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  return {
    calls: () => calls,
    settings: {
      source: {
        adapter: 'http',
        url: `http://127.0.0.1:${port}/parcels?ids={keys}`,
        keysPerCall: 200,
        rows: '/rows',
        whole: { count: '/count' },
        key: { from: '/id' },
        fields: { zoningCode: '/zone' },
        network: { http: true, addresses: ['127.0.0.0/8'] }
      }
    },
    async become(next) {
      way = next
      if (next === 'down') await close(server)
      else if (!server.listening) await listen(server, port)
      // What hung before is as lost to its callers as it was to the registry.
      if (next === 'well') server.closeIdleConnections()
    },
    stop: () => close(server)
  }
}
