import { Counter, Histogram, type Registry } from 'prom-client'

/** Something that happened to a registry, as a thread tells it: no key, no address. */
export type RegistryNews =
  | {
      readonly kind: 'call'
      readonly jurisdiction: string
      readonly registry: string
      readonly adapter: string
      /** `ok`, or the code of the fault. */
      readonly outcome: string
      readonly seconds: number
    }
  | {
      readonly kind: 'keys'
      readonly jurisdiction: string
      readonly registry: string
      /** Keys that were answered from the cache, and that were not. */
      readonly hits: number
      readonly misses: number
    }

export interface RegistryMeters {
  readonly tell: (news: RegistryNews) => void
  register(registry: Registry): void
}

/** Counts the calls to registries and what the cache saves, of all threads of a worker. */
export function createRegistryMeters(): RegistryMeters {
  const calls = new Histogram({
    name: 'docket_registry_call_seconds',
    help: 'Time of each call to a registry, by its outcome: ok, or the code of the fault',
    labelNames: ['jurisdiction', 'registry', 'adapter', 'outcome'],
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10],
    registers: []
  })
  const keys = new Counter({
    name: 'docket_registry_cache_keys_total',
    help: 'Keys looked up in registries elsewhere: answered from the cache (hit) or not (miss)',
    labelNames: ['jurisdiction', 'registry', 'result'],
    registers: []
  })
  return {
    tell(news) {
      const { jurisdiction, registry } = news
      if (news.kind === 'call') {
        calls.observe({ jurisdiction, registry, adapter: news.adapter, outcome: news.outcome }, news.seconds)
        return
      }
      if (news.hits > 0) keys.inc({ jurisdiction, registry, result: 'hit' }, news.hits)
      if (news.misses > 0) keys.inc({ jurisdiction, registry, result: 'miss' }, news.misses)
    },
    register(registry) {
      registry.registerMetric(calls)
      registry.registerMetric(keys)
    }
  }
}
