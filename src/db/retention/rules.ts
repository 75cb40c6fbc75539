import type { Queryable } from '../pool.ts'

/** What a rule is about: the files of a batch, or the values of its records. */
export const RETAINED = ['payload', 'record'] as const
export type Retained = (typeof RETAINED)[number]

export interface RetentionRule {
  readonly jurisdiction: string
  readonly profile: string
  readonly what: Retained
  readonly version: number
  /** Null: kept for good. */
  readonly days: number | null
  readonly setBy: string
  readonly setAt: Date
}

/** Puts a rule in force in the place of the one before. Answers its version. */
export async function setRetentionRule(db: Queryable, rule: Omit<RetentionRule, 'version' | 'setAt'>): Promise<number> {
  const { rows } = await db.query<{ version: number }>(
    `insert into retention_rule (jurisdiction, profile, what, version, days, set_by)
     select $1, $2, $3, coalesce(max(version), 0) + 1, $4, $5 from retention_rule
     where jurisdiction = $1 and profile = $2 and what = $3 returning version`,
    [rule.jurisdiction, rule.profile, rule.what, rule.days, rule.setBy]
  )
  return rows[0]?.version ?? 0
}

/** The rules in force, of one jurisdiction or of all; those that were ended are among them, without days. */
export async function listRetentionRules(db: Queryable, jurisdiction: string | null): Promise<RetentionRule[]> {
  const { rows } = await db.query<RetentionRule>(
    `select distinct on (jurisdiction, profile, what) jurisdiction, profile, what, version, days, set_by as "setBy",
       set_at as "setAt"
     from retention_rule where $1::text is null or jurisdiction = $1
     order by jurisdiction, profile, what, version desc`,
    [jurisdiction]
  )
  return rows
}

/** A batch that a rule has something to do with. */
export interface DueBatch {
  readonly id: string
  /** Files whose payload is still there. */
  readonly files: number
  /** Records that were not erased. */
  readonly records: number
}

const ERASED = `exists (select 1 from record_erasure e where e.jurisdiction = $1 and e.record_id = r.id)`

const DUE = `from batch b
     where b.jurisdiction = $1 and b.profile = $2 and b.finished_at < now() - make_interval(days => $4)
       and ($5::uuid is null or b.id > $5)
       and not exists (select 1 from retention_done d where d.jurisdiction = $1 and d.batch_id = b.id and d.what = $3)
     order by b.id limit $6`

interface Page {
  readonly after: string | null
  readonly limit: number
}

const valuesOf = ({ jurisdiction, profile, what, days }: RetentionRule, { after, limit }: Page): unknown[] => [
  jurisdiction,
  profile,
  what,
  days,
  after,
  limit
]

/** Batches that ended longer ago than a rule allows and are not done, the oldest first, after one of them. */
export async function listDueBatches(db: Queryable, rule: RetentionRule, page: Page): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(`select b.id ${DUE}`, valuesOf(rule, page))
  return rows.map(row => row.id)
}

/** The same with what of them is still there. */
export async function countDue(db: Queryable, rule: RetentionRule, page: Page): Promise<DueBatch[]> {
  const { rows } = await db.query<DueBatch>(
    `select b.id,
       (select count(*)::int from file f
         where f.jurisdiction = $1 and f.batch_id = b.id and f.payload_removed_at is null) as files,
       (select count(*)::int from record r where r.jurisdiction = $1 and r.batch_id = b.id and not ${ERASED}) as records
     from (select b.id ${DUE}) b order by b.id`,
    valuesOf(rule, page)
  )
  return rows
}

/** Whether a legal hold is on a row `r` of record or its batch. */
const HELD = `exists (select 1 from legal_hold h where h.jurisdiction = $1 and h.lifted_at is null
  and h.subject_id in (r.id, r.batch_id))`

/** Where a record stands in its batch. */
export interface RecordPlace {
  readonly fileNumber: number
  readonly item: number
}

/** Records of a batch behind a place whose values a rule ends: they have ended, long enough ago, and no hold is on them. */
export async function listDueRecords(
  db: Queryable,
  jurisdiction: string,
  batchId: string,
  page: { readonly days: number; readonly after: RecordPlace; readonly limit: number }
): Promise<(RecordPlace & { readonly id: string })[]> {
  const { rows } = await db.query<RecordPlace & { id: string }>(
    `select r.id, r.file_number as "fileNumber", r.item from record r
     where r.jurisdiction = $1 and r.batch_id = $2 and (r.file_number, r.item) > ($5, $6) and r.state <> 'quarantined'
       and r.updated_at < now() - make_interval(days => $3) and not ${ERASED} and not ${HELD}
     order by r.file_number, r.item limit $4`,
    [jurisdiction, batchId, page.days, page.limit, page.after.fileNumber, page.after.item]
  )
  return rows
}

/** Files of a batch whose payload a rule ends: none of their records is held, by a clerk or by law. */
export async function listDueFiles(
  db: Queryable,
  jurisdiction: string,
  batchId: string,
  limit: number
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select f.id from file f where f.jurisdiction = $1 and f.batch_id = $2 and f.payload_removed_at is null
       and not exists (select 1 from legal_hold h where h.jurisdiction = $1 and h.lifted_at is null and h.subject_id = $2)
       and not exists (select 1 from file a where a.jurisdiction = $1 and a.batch_id = $2 and a.archive_id = f.id
         and a.payload_removed_at is null)
       and not exists (select 1 from record r where r.jurisdiction = $1 and r.batch_id = $2 and r.file_number = f.number
         and (r.state = 'quarantined' or ${HELD}))
     order by f.archive_id is null, f.number limit $3`,
    [jurisdiction, batchId, limit]
  )
  return rows.map(row => row.id)
}

/** Notes that a rule has nothing more to do with a batch, if that is so. */
export async function noteDone(db: Queryable, jurisdiction: string, batchId: string, what: Retained): Promise<void> {
  const left =
    what === 'payload'
      ? 'select 1 from file f where f.jurisdiction = $1 and f.batch_id = $2 and f.payload_removed_at is null'
      : `select 1 from record r where r.jurisdiction = $1 and r.batch_id = $2 and not ${ERASED}`
  await db.query(
    `insert into retention_done (jurisdiction, batch_id, what) select $1, $2, $3 where not exists (${left})
     on conflict do nothing`,
    [jurisdiction, batchId, what]
  )
}
