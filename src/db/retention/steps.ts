import type { Queryable, Tx } from '../pool.ts'
import type { Erasure } from './erasures.ts'

/**
 * What becomes of a payload that others share. overwrite: rows that can be overwritten are, else it stays. share: it is
 * removed if they cannot. wait: it stays until none is left. force: it is removed whatever is left.
 */
export type PayloadMode = 'overwrite' | 'share' | 'wait' | 'force'

/** What an erasure has still to do: settle the payload of a file (`ref` is its id), or hide a natural key. */
export interface ErasureStep extends Erasure {
  readonly kind: 'file' | 'key'
  /** Of a natural key; empty for a file. */
  readonly profile: string
  readonly ref: string
  readonly mode: PayloadMode
}

/** Notes a step; one that stands there already stays, and gets the mode of this one unless that waits. */
export async function addStep(tx: Tx, step: ErasureStep): Promise<void> {
  const { jurisdiction, kind, profile, ref, mode, actor, reason, rule } = step
  await tx.query(
    `insert into erasure_step as s (jurisdiction, kind, profile, ref, mode, actor, reason, rule)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (jurisdiction, kind, profile, ref) do update set mode = case when excluded.mode = 'wait' or s.mode = 'force' then s.mode else excluded.mode end`,
    [jurisdiction, kind, profile, ref, mode, actor, reason, rule]
  )
}

/** Steps that are left: all, or those of one jurisdiction about these files and natural keys. */
export async function listSteps(
  db: Queryable,
  limit: number,
  of: { readonly jurisdiction: string; readonly refs: readonly string[] } | null = null
): Promise<ErasureStep[]> {
  const { rows } = await db.query<ErasureStep>(
    `select jurisdiction, kind, profile, ref, mode, actor, reason, rule from erasure_step
     where $2::text is null or (jurisdiction = $2 and ref = any($3::text[]))
     order by kind, jurisdiction, profile, ref limit $1`,
    [limit, of?.jurisdiction ?? null, of?.refs ?? null]
  )
  return rows
}

const STEP = 'jurisdiction = $1 and kind = $2 and profile = $3 and ref = $4'
const valuesOf = ({ jurisdiction, kind, profile, ref }: ErasureStep): string[] => [jurisdiction, kind, profile, ref]

/** A step as it stands. Each erasure that notes it again makes its `version` another one. */
export interface NotedStep {
  readonly mode: PayloadMode
  readonly version: string
}

const NOTED = `select mode, xmin::text as version from erasure_step where ${STEP}`

/** How a step stands; undefined when it was done. */
export async function readStep(db: Queryable, step: ErasureStep): Promise<NotedStep | undefined> {
  const { rows } = await db.query<NotedStep>(NOTED, valuesOf(step))
  return rows[0]
}

/** The same, locked until the transaction ends: an erasure that notes it again waits, and what it erased comes after. */
export async function lockStep(tx: Tx, step: ErasureStep): Promise<NotedStep | undefined> {
  const { rows } = await tx.query<NotedStep>(`${NOTED} for update`, valuesOf(step))
  return rows[0]
}

/** Forgets a step that is done. */
export async function endStep(db: Pick<Queryable, 'query'>, step: ErasureStep): Promise<void> {
  await db.query(`delete from erasure_step where ${STEP}`, valuesOf(step))
}

/** Whether an object of the store holds records that were not erased and are not among these. */
export async function hasOthers(
  db: Queryable,
  jurisdiction: string,
  fileId: string,
  recordIds: readonly string[]
): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `with recursive inside as (
       select batch_id, id, number from file where jurisdiction = $1 and id = $2
       union all
       select f.batch_id, f.id, f.number from inside i
       join file f on f.jurisdiction = $1 and f.batch_id = i.batch_id and f.archive_id = i.id
     )
     select exists (select 1 from inside i
       join record r on r.jurisdiction = $1 and r.batch_id = i.batch_id and r.file_number = i.number
       where r.id <> all($3::uuid[])
         and not exists (select 1 from record_erasure e where e.jurisdiction = $1 and e.record_id = r.id)) as found`,
    [jurisdiction, fileId, recordIds]
  )
  return rows[0]?.found === true
}
