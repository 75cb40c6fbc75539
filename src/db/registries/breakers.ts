import type { Queryable } from '../pool.ts'

/** A breaker as all workers see it. */
export interface BreakerRow {
  readonly kind: string
  readonly state: 'closed' | 'open'
  readonly failures: number
  /** Milliseconds until a trial may be made; zero or less: now. Null while closed. */
  readonly retryInMs: number | null
}

/** The columns of a `BreakerRow`, of a row of `registry_breaker` called b. */
export const BREAKER_ROW = `b.kind, b.state, b.failures,
  case when b.state = 'open' then ceil(extract(epoch from b.retry_at - clock_timestamp()) * 1000)::float8 end as "retryInMs"`

export interface BreakerScope {
  readonly jurisdiction: string
  readonly kind: string
}

export interface Failure {
  readonly faultKind: 'transient' | 'configuration'
  readonly code: string
  /** Failures in a row that open it. */
  readonly most: number
  /** How long it stays open the first time, in seconds; doubles up to `longestSeconds`. */
  readonly waitSeconds: number
  readonly longestSeconds: number
  /** How long the registry asked to be left alone; null when it did not. */
  readonly askedSeconds: number | null
}

/**
 * Counts a failed call. Opens the breaker when there were enough in a row, when the registry asks to be left alone, or when
 * only an operator can help. A trial that fails keeps it open for longer; calls that were under way change nothing then.
 */
export async function noteFailure(
  db: Queryable,
  { jurisdiction, kind }: BreakerScope,
  failure: Failure
): Promise<BreakerRow & { readonly opened: boolean }> {
  const { faultKind, code, most, waitSeconds, longestSeconds, askedSeconds } = failure
  const { rows } = await db.query<BreakerRow & { opened: boolean }>(
    `with before as (
       select state, failures, openings, retry_at from registry_breaker where jurisdiction = $1 and kind = $2 for update
     ), now_is as (
       select coalesce(b.state, 'closed') as was, coalesce(b.failures, 0) + 1 as failures, coalesce(b.openings, 0) as openings,
         case when b.state = 'open' then b.retry_at <= clock_timestamp()
           else coalesce(b.failures, 0) + 1 >= $5 or $3 = 'configuration' or $8::float8 is not null end as opens
       from (select 1) one left join before b on true
     ), next as (
       select was, failures, opens, openings + opens::int as openings,
         clock_timestamp() + make_interval(secs => greatest(
           least($6::float8 * power(2, least(openings, 20)), $7::float8), coalesce($8::float8, 0))) as retry_at
       from now_is
     ), b as (
       insert into registry_breaker as r
         (jurisdiction, kind, state, failures, openings, fault_kind, code, opened_at, retry_at)
       select $1, $2, case when opens then 'open' else was end, failures, openings, $3, $4,
         case when opens then clock_timestamp() end, case when opens then retry_at end from next
       on conflict (jurisdiction, kind) do update set failures = excluded.failures, openings = excluded.openings,
         state = excluded.state, fault_kind = excluded.fault_kind, code = excluded.code,
         opened_at = case when r.state = 'open' then r.opened_at else excluded.opened_at end,
         retry_at = coalesce(excluded.retry_at, r.retry_at),
         trial_until = case when excluded.retry_at is null then r.trial_until end, changed_at = clock_timestamp()
       returning r.*
     )
     select ${BREAKER_ROW}, next.was = 'closed' and b.state = 'open' as opened from b, next`,
    [jurisdiction, kind, faultKind, code, most, waitSeconds, longestSeconds, askedSeconds]
  )
  return rows[0] ?? { kind, state: 'closed', failures: 1, retryInMs: null, opened: false }
}

/** Closes the breaker after a call that was answered, and ends its alert. Answers whether it was open. */
export async function noteSuccess(db: Queryable, { jurisdiction, kind }: BreakerScope): Promise<boolean> {
  const { rows } = await db.query<{ was: string }>(
    `with before as (
       select state from registry_breaker where jurisdiction = $1 and kind = $2 for update
     ), closed as (
       delete from registry_breaker where jurisdiction = $1 and kind = $2
     ), ended as (
       update registry_alert set ended_at = now() where jurisdiction = $1 and kind = $2 and ended_at is null
     )
     select state as was from before`,
    [jurisdiction, kind]
  )
  return rows[0]?.was === 'open'
}

/** Claims the one trial of an open breaker that is due; false when it is not due or somebody else has it. */
export async function claimTrial(
  db: Queryable,
  { jurisdiction, kind }: BreakerScope,
  seconds: number
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update registry_breaker set trial_until = clock_timestamp() + make_interval(secs => $3)
     where jurisdiction = $1 and kind = $2 and state = 'open' and retry_at <= clock_timestamp()
       and (trial_until is null or trial_until < clock_timestamp())`,
    [jurisdiction, kind, seconds]
  )
  return rowCount === 1
}

/** Raises an alert unless one is open for this registry; answers whether it did. */
export async function raiseAlert(db: Queryable, { jurisdiction, kind }: BreakerScope, code: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into registry_alert (jurisdiction, kind, code) values ($1, $2, $3)
     on conflict (jurisdiction, kind) where ended_at is null do nothing`,
    [jurisdiction, kind, code]
  )
  return rowCount === 1
}
