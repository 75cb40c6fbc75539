import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { sumOutcomes } from '../../db/reads/listings.ts'
import { type QueueDepth, queueDepths } from '../../queue/live-jobs.ts'
import type { ApiDeps } from '../deps.ts'

export interface Metrics {
  readonly registry: Registry
  observeRequest(labels: { method: string; route: string; status: string }, seconds: number): void
}

/** Sums over all chunks are read at most this often, whoever scrapes. */
const SUMS_CACHE_MS = 10_000

/** Lets the metrics of one scrape share one reading. */
const QUEUE_CACHE_MS = 500

function cached<T>(nowMs: () => number, cacheMs: number, load: () => Promise<T>): () => Promise<T> {
  let until = Number.NEGATIVE_INFINITY
  let value: Promise<T> | undefined
  return () => {
    if (value === undefined || nowMs() >= until) {
      until = nowMs() + cacheMs
      value = load()
      value.catch(() => {
        value = undefined
      })
    }
    return value
  }
}

function addQueueGauges(registry: Registry, deps: Pick<ApiDeps, 'pool' | 'nowMs'>): void {
  const load = cached(deps.nowMs, QUEUE_CACHE_MS, () => queueDepths(deps.pool))
  const gauge = (name: string, help: string, valueOf: (depth: QueueDepth) => number): void => {
    const collect = async function (this: Gauge): Promise<void> {
      const depths = await load()
      this.reset()
      for (const depth of depths) this.set({ queue: depth.queue, lane: depth.lane }, valueOf(depth))
    }
    registry.registerMetric(new Gauge({ name, help, labelNames: ['queue', 'lane'], registers: [], collect }))
  }
  gauge('docket_queue_depth', 'Waiting jobs', depth => depth.depth)
  gauge('docket_queue_oldest_seconds', 'Age of the oldest waiting job', depth => depth.oldestSeconds)
}

function addRecordGauge(registry: Registry, deps: Pick<ApiDeps, 'pool' | 'nowMs'>): void {
  const totals = cached(deps.nowMs, SUMS_CACHE_MS, () => sumOutcomes(deps.pool))
  registry.registerMetric(
    new Gauge({
      name: 'docket_records',
      help: 'Records by what became of them',
      labelNames: ['outcome'],
      registers: [],
      async collect() {
        for (const [outcome, count] of Object.entries(await totals())) this.set({ outcome }, count)
      }
    })
  )
}

function addPoolGauge(registry: Registry, deps: Pick<ApiDeps, 'pool'>): void {
  registry.registerMetric(
    new Gauge({
      name: 'docket_pool_connections',
      help: 'Database connections of this process, and requests waiting for one',
      labelNames: ['state'],
      registers: [],
      collect() {
        this.set({ state: 'total' }, deps.pool.totalCount)
        this.set({ state: 'idle' }, deps.pool.idleCount)
        this.set({ state: 'waiting' }, deps.pool.waitingCount)
      }
    })
  )
}

/** The API's metrics, in a registry of their own. */
export function createMetrics(deps: Pick<ApiDeps, 'pool' | 'nowMs'>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'docket_http_request_seconds',
    help: 'Duration of requests by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry]
  })
  addQueueGauges(registry, deps)
  addRecordGauge(registry, deps)
  addPoolGauge(registry, deps)
  return { registry, observeRequest: (labels, seconds) => duration.observe(labels, seconds) }
}
