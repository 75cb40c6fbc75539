import type { Tx } from '../pool.ts'

/** Kinds of reference data that are loaded as tables of one row a key. */
export type LoadedKind = 'parcel' | 'zoning' | 'property'

/** One row of a file, by column; `line` is where it stands there. */
export interface ReferenceRow {
  readonly line: number
  readonly key: string
  readonly [column: string]: string | number | boolean | readonly string[] | null
}

interface Table {
  readonly name: string
  readonly key: string
  /** Columns beside the key, with their types. */
  readonly columns: Readonly<Record<string, 'text' | 'boolean' | 'text[]'>>
}

const TABLES: Readonly<Record<LoadedKind, Table>> = {
  parcel: {
    name: 'registry_parcel',
    key: 'parcel_id',
    columns: {
      zoning_code: 'text',
      site_address: 'text',
      owner_name: 'text',
      retired: 'boolean',
      equivalents: 'text[]'
    }
  },
  zoning: { name: 'registry_zoning', key: 'parcel_id', columns: { zoning_code: 'text', overlays: 'text[]' } },
  property: { name: 'registry_property', key: 'property_id', columns: { address: 'text', owner_name: 'text' } }
}

/** What a file changes, and the first few keys of each. */
export interface ReferenceDiff {
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  readonly ended: number
  readonly examples: { readonly new: string[]; readonly changed: string[]; readonly ended: string[] }
}

export interface LoadScope {
  readonly kind: LoadedKind
  readonly jurisdiction: string
  /** The day the file is of, `YYYY-MM-DD`: what it says holds from then on. */
  readonly day: string
  /** The file holds only some entries: those that are not in it stay in force. */
  readonly partial: boolean
}

/** Begins a load: nobody else loads this kind of the jurisdiction until the transaction ends. */
export async function beginLoad(tx: Tx, { kind, jurisdiction }: LoadScope): Promise<void> {
  const { columns } = TABLES[kind]
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 36))`, [`${kind}/${jurisdiction}`])
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  await tx.query(
    `create temp table registry_load (line integer not null, key text collate "C" not null, ${typed.join(', ')}) on commit drop`
  )
}

/** Puts rows of the file beside the table. */
export async function stageRows(tx: Tx, { kind }: LoadScope, rows: readonly ReferenceRow[]): Promise<void> {
  const { columns } = TABLES[kind]
  const names = ['line', 'key', ...Object.keys(columns)]
  const typed = ['line integer', 'key text', ...Object.entries(columns).map(([name, type]) => `${name} ${type}`)]
  await tx.query(
    `insert into registry_load (${names.join(', ')})
     select ${names.join(', ')} from jsonb_to_recordset($1::jsonb) as r(${typed.join(', ')})`,
    [JSON.stringify(rows)]
  )
}

/** Keys that stand on more than one line: the lines of the first few, and how many keys that are. */
export async function findRepeatedKeys(tx: Tx): Promise<{ readonly keys: number; readonly lines: number[][] }> {
  const { rows } = await tx.query<{ keys: number; lines: number[] }>(
    `select count(*) over ()::int as keys, array_agg(line order by line) as lines from registry_load
     group by key having count(*) > 1 order by min(line) limit 20`
  )
  return { keys: rows[0]?.keys ?? 0, lines: rows.map(row => row.lines) }
}

/** The day of the newest load of this kind; null when nothing was loaded. An entry that is in force without end has one. */
export async function lastLoadDay(tx: Tx, { kind, jurisdiction }: LoadScope): Promise<string | null> {
  const { rows } = await tx.query<{ day: string | null }>(
    `select max(greatest(effective_from, effective_to)) as day from ${TABLES[kind].name} where jurisdiction = $1`,
    [jurisdiction]
  )
  return rows[0]?.day ?? null
}

const current = (t: string): string =>
  `${t}.jurisdiction = $1 and ${t}.effective_from <= $2::date and (${t}.effective_to is null or $2::date < ${t}.effective_to)`

const list = (table: Table, prefix: string): string =>
  Object.keys(table.columns)
    .map(name => `${prefix}.${name}`)
    .join(', ')

const differs = (table: Table): string => `row(${list(table, 't')}) is distinct from row(${list(table, 'l')})`

/** What the staged rows would change. */
export async function diffLoad(tx: Tx, { kind, jurisdiction, day, partial }: LoadScope): Promise<ReferenceDiff> {
  const table = TABLES[kind]
  await tx.query('analyze registry_load')
  const { rows } = await tx.query<{
    change: keyof ReferenceDiff['examples'] | 'unchanged'
    count: number
    keys: string[]
  }>(
    `select change, count(*)::int as count, (array_agg(key order by key))[1:5] as keys from (
       select coalesce(l.key, t.key) as key, case when t.key is null then 'new' when l.key is null then 'ended'
         when ${differs(table)} then 'changed' else 'unchanged' end as change
       from registry_load l full join (select ${table.key} as key, ${Object.keys(table.columns).join(', ')}
         from ${table.name} t where ${current('t')}) t on t.key = l.key) changes
     where not ($3 and change = 'ended') group by change`,
    [jurisdiction, day, partial]
  )
  const of = (change: string) => rows.find(row => row.change === change)
  const examples = { new: of('new')?.keys ?? [], changed: of('changed')?.keys ?? [], ended: of('ended')?.keys ?? [] }
  const count = (change: string): number => of(change)?.count ?? 0
  return {
    new: count('new'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    ended: count('ended'),
    examples
  }
}

/**
 * Makes the staged rows the entries in force from the day on. What they change or leave out ends that day and stays on
 * record; an entry that began on the same day is corrected in place.
 */
export async function applyLoad(tx: Tx, { kind, jurisdiction, day, partial }: LoadScope): Promise<void> {
  const table = TABLES[kind]
  const columns = Object.keys(table.columns)
  const set = columns.map(name => `${name} = excluded.${name}`).join(', ')
  // An entry of today that is not in the file was never in force on another day.
  await tx.query(
    `delete from ${table.name} t where ${current('t')} and t.effective_from = $2::date and not $3
       and not exists (select 1 from registry_load l where l.key = t.${table.key})`,
    [jurisdiction, day, partial]
  )
  await tx.query(
    `update ${table.name} t set effective_to = $2::date where ${current('t')} and t.effective_from < $2::date
       and ((not $3 and not exists (select 1 from registry_load l where l.key = t.${table.key}))
         or exists (select 1 from registry_load l where l.key = t.${table.key} and ${differs(table)}))`,
    [jurisdiction, day, partial]
  )
  await tx.query(
    `insert into ${table.name} as t (jurisdiction, ${table.key}, ${columns.join(', ')}, effective_from)
     select $1, l.key, ${list(table, 'l')}, $2::date from registry_load l
     where not exists (select 1 from ${table.name} t where ${current('t')} and t.${table.key} = l.key
       and not (${differs(table)})) order by l.key
     on conflict (jurisdiction, ${table.key}, effective_from) do update set ${set}, effective_to = null, loaded_at = now()`,
    [jurisdiction, day]
  )
}
