import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { listPauses } from '../../db/operations/pauses.ts'
import { onPoolWait, type Pool } from '../../db/pool.ts'
import { countHeldByReason, listStageLatencies } from '../../db/reads/metrics-reads.ts'
import { foldOutcomes, type OutcomeTotals, sumOutcomes } from '../../db/reads/outcome-sums.ts'
import { type FailingRow, listFailingRegistries } from '../../db/registries/statuses.ts'
import { countPausedJobs, type PausedJobs } from '../../queue/held-jobs.ts'
import { type QueueDepth, queueDepths } from '../../queue/live-jobs.ts'
import type { ApiDeps } from '../deps.ts'

export interface Metrics {
  readonly registry: Registry
  observeRequest(labels: { method: string; route: string; status: string }, seconds: number): void
}

/** Sums over all chunks are read at most this often, whoever scrapes. */
const SUMS_CACHE_MS = 10_000

/** Held records looked at for their reasons. */
const MOST_HELD = 20_000
const HELD_CACHE_MS = 30_000

/** A reading is used again for at least this many times as long as it took: scrapes never keep the database busy. */
const COST_FACTOR = 20

/** Lets the metrics of one scrape share one reading. */
const QUEUE_CACHE_MS = 500

function cached<T>(nowMs: () => number, cacheMs: number, load: () => Promise<T>): () => Promise<T> {
  let until = Number.NEGATIVE_INFINITY
  let value: Promise<T> | undefined
  const read = async (begun: number): Promise<T> => {
    try {
      const loaded = await load()
      until = Math.max(until, begun + COST_FACTOR * (nowMs() - begun))
      return loaded
    } catch (error) {
      value = undefined
      throw error
    }
  }
  return () => {
    if (value === undefined || nowMs() >= until) {
      until = nowMs() + cacheMs
      value = read(nowMs())
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

/** What operators hold back: alone in their metrics, so that work that waits for them is not taken for work that is late. */
function addPauseGauges(registry: Registry, deps: Pick<ApiDeps, 'pool' | 'nowMs'>): void {
  const load = cached(deps.nowMs, QUEUE_CACHE_MS, async () => {
    const pauses = await listPauses(deps.pool, null)
    const jobs = pauses.length > 0 ? await countPausedJobs(deps.pool) : []
    return pauses.map(pause => ({ ...pause, ...jobs.find(one => one.pauseId === pause.id) }))
  })
  const gauge = (name: string, help: string, valueOf: (row: Partial<PausedJobs>) => number): void => {
    const collect = async function (this: Gauge): Promise<void> {
      const rows = await load()
      this.reset()
      for (const row of rows) this.set({ jurisdiction: row.jurisdiction ?? '*', lane: row.lane ?? '*' }, valueOf(row))
    }
    registry.registerMetric(new Gauge({ name, help, labelNames: ['jurisdiction', 'lane'], registers: [], collect }))
  }
  gauge('docket_paused_jobs', 'Jobs that wait because an operator holds them back', row => row.waiting ?? 0)
  gauge('docket_paused_running', 'Jobs begun before their work was paused that go on', row => row.running ?? 0)
}

/** The totals; now and then what is old is summed up, so that it need not be read again. */
async function totalsOf(pool: ApiDeps['pool']): Promise<OutcomeTotals> {
  const { isDue, ...totals } = await sumOutcomes(pool)
  // Another process may do the same at this moment; whoever comes later finds nothing due.
  if (isDue) await foldOutcomes(pool).catch(() => undefined)
  return totals
}

function addRecordGauge(registry: Registry, deps: Pick<ApiDeps, 'pool' | 'nowMs'>): void {
  const totals = cached(deps.nowMs, SUMS_CACHE_MS, () => totalsOf(deps.pool))
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

function addStageGauge(registry: Registry, deps: Pick<ApiDeps, 'pool' | 'nowMs'>): void {
  const load = cached(deps.nowMs, SUMS_CACHE_MS, () => listStageLatencies(deps.pool))
  registry.registerMetric(
    new Gauge({
      name: 'docket_stage_seconds',
      help: 'Time of each stage per chunk, of at most 500 chunks committed in the last 15 minutes',
      labelNames: ['stage', 'quantile'],
      registers: [],
      async collect() {
        const stages = await load()
        this.reset()
        for (const { stage, p50, p95 } of stages) {
          this.set({ stage, quantile: '0.5' }, p50 / 1000)
          this.set({ stage, quantile: '0.95' }, p95 / 1000)
        }
      }
    })
  )
}

/** More failing registries than this tell nothing more. */
const MOST_FAILING = 1000

function addRegistryGauges(registry: Registry, deps: Pick<ApiDeps, 'pool' | 'nowMs'>): void {
  const load = cached(deps.nowMs, SUMS_CACHE_MS, () => listFailingRegistries(deps.pool, MOST_FAILING))
  const gauge = (name: string, help: string, valueOf: (row: FailingRow) => number): void => {
    const collect = async function (this: Gauge): Promise<void> {
      const rows = await load()
      this.reset()
      for (const row of rows) this.set({ jurisdiction: row.jurisdiction, registry: row.kind }, valueOf(row))
    }
    registry.registerMetric(new Gauge({ name, help, labelNames: ['jurisdiction', 'registry'], registers: [], collect }))
  }
  gauge('docket_registry_open', 'Registries that are left alone because they fail (1), or fail at times (0)', row =>
    Number(row.isOpen)
  )
  gauge('docket_registry_failures', 'Failed calls of a registry since one was answered', row => row.failures)
  gauge('docket_registry_alert', 'Registries that an operator must mend (1)', row => Number(row.needsOperator))
}

function addDiskGauges(registry: Registry, deps: Pick<ApiDeps, 'disk'>): void {
  const gauge = (name: string, help: string, valueOf: (look: { used: number; isStopped: boolean }) => number): void => {
    const collect = async function (this: Gauge): Promise<void> {
      this.set(valueOf(await deps.disk.look()))
    }
    registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  }
  gauge('docket_disk_used_ratio', 'Share in use of the fuller disk of payloads and data', look => look.used)
  gauge('docket_admission_stopped', 'Whether submissions are refused because the disk is nearly full (1)', look =>
    Number(look.isStopped)
  )
}

function addHeldGauge(registry: Registry, deps: Pick<ApiDeps, 'pool' | 'nowMs'>): void {
  const load = cached(deps.nowMs, HELD_CACHE_MS, () => countHeldByReason(deps.pool, MOST_HELD))
  registry.registerMetric(
    new Gauge({
      name: 'docket_held_records',
      help: 'Records that wait for a person by blocking reason, counted among at most 20,000 of them',
      labelNames: ['code', 'failure_class'],
      registers: [],
      async collect() {
        const held = await load()
        this.reset()
        for (const { code, failureClass, records } of held) this.set({ code, failure_class: failureClass }, records)
      }
    })
  )
}

function addPoolGauge(registry: Registry, deps: Pick<ApiDeps, 'pools'>): void {
  registry.registerMetric(
    new Gauge({
      name: 'docket_pool_connections',
      help: 'Database connections of this process, and requests waiting for one',
      labelNames: ['state'],
      registers: [],
      collect() {
        const sum = (countOf: (pool: Pool) => number): number =>
          deps.pools.reduce((all, pool) => all + countOf(pool), 0)
        this.set(
          { state: 'total' },
          sum(pool => pool.totalCount)
        )
        this.set(
          { state: 'idle' },
          sum(pool => pool.idleCount)
        )
        this.set(
          { state: 'waiting' },
          sum(pool => pool.waitingCount)
        )
      }
    })
  )
}

function addPoolWait(registry: Registry, deps: Pick<ApiDeps, 'pools'>): void {
  const waits = new Histogram({
    name: 'docket_pool_wait_seconds',
    help: 'Time callers waited for a database connection of this process',
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry]
  })
  for (const pool of deps.pools) onPoolWait(pool, seconds => waits.observe(seconds))
}

/** The API's metrics, in a registry of their own. */
export function createMetrics(deps: Pick<ApiDeps, 'pool' | 'pools' | 'nowMs' | 'disk'>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'docket_http_request_seconds',
    help: 'Duration of requests by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry]
  })
  addPoolWait(registry, deps)
  addQueueGauges(registry, deps)
  addPauseGauges(registry, deps)
  addRecordGauge(registry, deps)
  addStageGauge(registry, deps)
  addHeldGauge(registry, deps)
  addRegistryGauges(registry, deps)
  addDiskGauges(registry, deps)
  addPoolGauge(registry, deps)
  return { registry, observeRequest: (labels, seconds) => duration.observe(labels, seconds) }
}
