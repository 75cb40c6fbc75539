import type { Queryable } from '../pool.ts'

/** What a server is set to, and what its sessions do, as far as it endangers the work. */
export interface ServerFacts {
  /** Settings by name, as the session of this process has them. */
  readonly settings: Readonly<Record<string, string>>
  readonly isSuperuser: boolean
  readonly ownsTables: boolean
  /** Tables with a jurisdiction whose row-level security is not forced. */
  readonly unguardedTables: number
  readonly connections: number
  /** Seconds since the oldest transaction of any session of this database began. */
  readonly longestTransactionSeconds: number
  /** Seconds since the oldest prepared transaction. */
  readonly oldestPreparedSeconds: number
  /** Replication slots nobody reads: the server keeps its log and dead rows for them. */
  readonly idleSlots: number
  /** Tables of which more than a third, and many rows, are dead. */
  readonly bloated: readonly { readonly table: string; readonly dead: number }[]
  /** Milliseconds since 1970, by the server's clock. */
  readonly clockMs: number
}

const SETTINGS = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'data_checksums',
  'wal_level',
  'autovacuum',
  'track_counts',
  'max_connections',
  'superuser_reserved_connections',
  'log_statement',
  'log_min_duration_statement',
  'log_parameter_max_length_on_error'
] // biome-ignore format: a list

const MANY_DEAD = 100_000

/** Reads them in one statement. Sessions of other roles are seen as far as this role may. */
export async function readServerFacts(db: Queryable): Promise<ServerFacts> {
  const { rows } = await db.query<ServerFacts>(
    `select (select jsonb_object_agg(name, setting) from pg_settings where name = any($1::text[])) as settings,
       (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
       exists (select 1 from pg_class where relname = 'audit_entry' and relkind = 'r'
         and pg_has_role(current_user, relowner, 'usage')) as "ownsTables",
       (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
         where c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity)
           and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'jurisdiction')) as "unguardedTables",
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
       (select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()) as "longestTransactionSeconds",
       (select coalesce(max(extract(epoch from clock_timestamp() - prepared)), 0)::float8 from pg_prepared_xacts) as "oldestPreparedSeconds",
       (select count(*)::int from pg_replication_slots where not active) as "idleSlots",
       (select coalesce(jsonb_agg(jsonb_build_object('table', schemaname || '.' || relname, 'dead', n_dead_tup) order by n_dead_tup desc), '[]')
         from pg_stat_user_tables where n_dead_tup > $2 and n_dead_tup > n_live_tup / 2) as bloated,
       extract(epoch from clock_timestamp())::float8 * 1000 as "clockMs"`,
    [SETTINGS, MANY_DEAD]
  )
  const [facts] = rows
  if (!facts) throw new Error('A statement without a from answers one row.')
  return facts
}
