import type { Queryable } from '../pool.ts'

export interface StageLatency {
  readonly stage: string
  /** Chunks it was measured on. */
  readonly chunks: number
  /** Milliseconds per chunk. */
  readonly p50: number
  readonly p95: number
}

/** Chunks read for the latency of stages, and how far back: enough for a 95th percentile, few enough for every scrape. */
const RECENT_CHUNKS = 500

/** How long the stages of a chunk took, over the chunks committed last in a quarter of an hour, at most 500. */
export async function listStageLatencies(db: Queryable): Promise<StageLatency[]> {
  const { rows } = await db.query<StageLatency>(
    `select s.key as stage, count(*)::int as chunks,
       percentile_disc(0.5) within group (order by s.value::float8) as p50,
       percentile_disc(0.95) within group (order by s.value::float8) as p95
     from (
       select stage_ms from chunk where state = 'committed' and committed_at > now() - interval '15 minutes'
       order by committed_at desc limit $1
     ) recent
     cross join lateral jsonb_each_text(coalesce(recent.stage_ms, '{}')) s
     group by s.key order by s.key`,
    [RECENT_CHUNKS]
  )
  return rows
}

export interface HeldCount {
  readonly code: string
  readonly failureClass: 'transient' | 'permanent'
  readonly records: number
}

/**
 * How many held records have each blocking reason, among `most` of them: a backlog beyond that is known by its total
 * already, and counting it whole would take longer the worse things are.
 */
export async function countHeldByReason(db: Queryable, most: number): Promise<HeldCount[]> {
  const { rows } = await db.query<HeldCount>(
    `select x ->> 'code' as code, x ->> 'failure_class' as "failureClass", count(*)::int as records
     from (select reasons from record where state = 'quarantined' and duplicate_of is null limit $1) held
     cross join lateral jsonb_array_elements(held.reasons) x
     where x ->> 'severity' in ('block', 'fatal')
     group by 1, 2 order by 1, 2`,
    [most]
  )
  return rows
}
