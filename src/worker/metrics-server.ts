import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { onPoolWait, type Pool } from '../db/pool.ts'
import type { HealthGate } from './health-gate.ts'
import type { RegistryMeters } from './registry-meters.ts'
import type { PoolCounts } from './threads/messages.ts'

/** What a worker tells of itself. */
export interface Told {
  /** Where waits for connections are told of. */
  readonly pool: Pool
  /** Every pool of the process. */
  readonly pools: () => readonly PoolCounts[]
  readonly gate: Pick<HealthGate, 'missing'>
  readonly registries: Pick<RegistryMeters, 'register'>
}

function workerRegistry({ pool, pools, gate, registries }: Told): Registry {
  const registry = new Registry()
  registries.register(registry)
  collectDefaultMetrics({ register: registry })
  const waits = new Histogram({
    name: 'docket_pool_wait_seconds',
    help: 'Time callers waited for a database connection of this process',
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry]
  })
  onPoolWait(pool, seconds => waits.observe(seconds))
  registry.registerMetric(
    new Gauge({
      name: 'docket_pool_connections',
      help: 'Database connections of this process, and callers waiting for one',
      labelNames: ['state'],
      registers: [],
      collect() {
        const all = pools()
        const sum = (count: keyof PoolCounts): number => all.reduce((total, one) => total + one[count], 0)
        this.set({ state: 'total' }, sum('totalCount'))
        this.set({ state: 'idle' }, sum('idleCount'))
        this.set({ state: 'waiting' }, sum('waitingCount'))
      }
    })
  )
  registry.registerMetric(
    new Gauge({
      name: 'docket_worker_missing',
      help: 'Things that jobs need and that this worker lacks at present: it does not fetch those jobs',
      labelNames: ['need'],
      registers: [],
      collect() {
        this.reset()
        for (const need of gate.missing) this.set({ need }, 1)
      }
    })
  )
  return registry
}

function listen(server: Server, config: Pick<Config, 'host' | 'metricsPort'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.metricsPort, config.host, resolve)
  })
}

/**
 * A worker's own `/metrics` (memory, event loop, pool, what it lacks) and `/readyz`: 503 with the names of what is away
 * while it does not fetch everything. Off unless a port is configured.
 */
export async function startMetricsServer(
  config: Pick<Config, 'host' | 'metricsPort'>,
  told: Told
): Promise<{ readonly port: number; close(): Promise<void> }> {
  if (config.metricsPort === 0) return { port: 0, close: async () => undefined }
  const registry = workerRegistry(told)
  const server = createServer((request, response) => {
    if (request.url === '/readyz') {
      const { missing } = told.gate
      response.writeHead(missing.length === 0 ? 200 : 503, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ready: missing.length === 0, missing }))
    } else if (request.url === '/metrics') {
      registry.metrics().then(
        text => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end()
      )
    } else response.writeHead(404).end()
  })
  await listen(server, config)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
