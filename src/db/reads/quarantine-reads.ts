import type { Queryable } from '../pool.ts'
import type { StoredRecord } from './record-reads.ts'

export interface QuarantineFilter {
  /** Null: all of them. */
  readonly jurisdictions: readonly string[] | null
  readonly profile: string | null
  readonly reason: string | null
  readonly failureClass: 'transient' | 'permanent' | null
  readonly source: string | null
  readonly batchId: string | null
  /** Held for at least so many seconds. */
  readonly minAgeSeconds: number | null
  /** With a statutory day, `YYYY-MM-DD`, up to this one. */
  readonly dueBy: string | null
  /** `received`: the longest waiting first. `due`: only those with a statutory day, the first due first. */
  readonly order: 'received' | 'due'
  /** Place of the last record of the page before: its time with microseconds, or its statutory day. */
  readonly after: { readonly at: string; readonly id: string } | null
  readonly limit: number
}

const DUE = `held.content ->> 'statutory_due_at'`

/** For each order: what it is by within a jurisdiction and of all, and what comes after a place. */
const ORDERS = {
  received: {
    by: 'held.created_at, held.id',
    ofAll: 'r.created_at, r.id',
    after: '($8::timestamptz is null or (held.created_at, held.id) > ($8::timestamptz, $9::uuid))'
  },
  due: {
    by: `${DUE}, held.id`,
    ofAll: `r.content ->> 'statutory_due_at', r.id`,
    after: `(${DUE}) is not null and ($8::text is null or (${DUE}, held.id) > ($8::text, $9::uuid))`
  }
} as const

/**
 * Records that wait for a person, in the order asked for. Records with the same content as another held one follow it
 * and are not listed. The order never changes, so pages hold under writes. Each jurisdiction's list is read in its order to
 * the end of a page, and the lists are merged: held records that are not shown cost nothing.
 */
export async function listQuarantine(db: Queryable, filter: QuarantineFilter): Promise<StoredRecord[]> {
  const order = ORDERS[filter.order]
  const { rows } = await db.query<StoredRecord>(
    `select r.id, r.jurisdiction, r.batch_id as "batchId", r.file_id as "fileId", r.file_number as "fileNumber",
       f.filename, r.item, r.line, r.state, r.profile, m.version as "manifestVersion",
       encode(r.idempotency_key, 'hex') as "idempotencyKey", r.natural_key as "naturalKey", r.version,
       r.duplicate_of as "duplicateOf", r.replaced_by as "replacedBy", r.confidence, r.reasons, r.fields,
       r.content, r.diagnostic, r.decision, r.revision, r.created_at as "createdAt",
       to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAtText",
       r.updated_at as "updatedAt"
     from unnest(coalesce($1::text[], array(select code from jurisdiction))) office
     cross join lateral (
       select * from record held
       where held.jurisdiction = office and held.state = 'quarantined' and held.duplicate_of is null
         and ($2::text is null or held.profile = $2)
         and ($3::text is null or held.reasons @> jsonb_build_array(jsonb_build_object('code', $3::text)))
         and ($4::text is null or held.reasons @> jsonb_build_array(jsonb_build_object('failure_class', $4::text)))
         and ($5::text is null or exists (select 1 from batch b
           where b.jurisdiction = office and b.id = held.batch_id and b.source = $5))
         and ($6::uuid is null or held.batch_id = $6)
         and ($7::float8 is null or held.created_at <= now() - make_interval(secs => $7))
         and ${order.after}
         and ($11::text is null or ${DUE} <= $11)
       order by ${order.by} limit $10
     ) r
     join file f on f.jurisdiction = r.jurisdiction and f.id = r.file_id
     join manifest m on m.number = r.manifest
     order by ${order.ofAll} limit $10`,
    [
      filter.jurisdictions,
      filter.profile,
      filter.reason,
      filter.failureClass,
      filter.source,
      filter.batchId,
      filter.minAgeSeconds,
      filter.after?.at ?? null,
      filter.after?.id ?? null,
      filter.limit,
      filter.dueBy
    ]
  )
  return rows
}
