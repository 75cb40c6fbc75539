import type { Json } from '../../model/json.ts'
import type { Queryable, Tx } from '../pool.ts'
import type { SourceRow } from './snapshot.ts'

/** The newest configuration of each kind of a jurisdiction that ever had one. */
export async function listSources(db: Queryable, jurisdiction: string): Promise<SourceRow[]> {
  const { rows } = await db.query<SourceRow>({
    name: 'list-registry-sources',
    text: `select distinct on (kind) kind, version, settings from registry_source where jurisdiction = $1
      order by kind, version desc`,
    values: [jurisdiction]
  })
  return rows
}

/** Adds a version of a kind's configuration; answers its number. Under `lockSources`. */
export async function insertSource(tx: Tx, jurisdiction: string, kind: string, settings: Json): Promise<number> {
  const { rows } = await tx.query<{ version: number }>(
    `insert into registry_source (jurisdiction, kind, version, settings)
     select $1, $2, coalesce(max(version), 0) + 1, $3::jsonb from registry_source where jurisdiction = $1 and kind = $2
     returning version`,
    [jurisdiction, kind, settings === null ? null : JSON.stringify(settings)]
  )
  return rows[0]?.version ?? 1
}

/** A registry that is configured anew starts with its breaker closed and nothing for an operator to mend. */
export async function forgetFaults(tx: Tx, jurisdiction: string, kind: string): Promise<void> {
  await tx.query('delete from registry_breaker where jurisdiction = $1 and kind = $2', [jurisdiction, kind])
  await tx.query(
    'update registry_alert set ended_at = now() where jurisdiction = $1 and kind = $2 and ended_at is null',
    [jurisdiction, kind]
  )
}

/** Lets one configuration of a jurisdiction go on at a time, until the transaction ends. */
export async function lockSources(tx: Tx, jurisdiction: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 37))`, [jurisdiction])
}
