import type { Json } from '../../model/json.ts'
import type { Reason } from '../../model/reasons.ts'
import { digestArray } from '../encoding/binary.ts'
import type { Queryable, Tx } from '../pool.ts'

/** What a person made of a content: the record they decided about, as it is now. */
export interface DecidedContent {
  /** Hex. */
  readonly idempotencyKey: string
  readonly recordId: string
  readonly state: 'accepted' | 'rejected'
  readonly naturalKey: string | null
  readonly confidence: number | null
  readonly reasons: readonly Reason[]
  readonly fields: Json
  /** Normalized values as they were decided. */
  readonly content: Json
}

/** The decisions about these contents; keys are hex. */
export async function findDecidedContents(
  db: Queryable,
  jurisdiction: string,
  idempotencyKeys: readonly string[]
): Promise<DecidedContent[]> {
  const { rows } = await db.query<DecidedContent>({
    name: 'find-decided-contents',
    text: `select encode(d.idempotency_key, 'hex') as "idempotencyKey", r.id as "recordId", r.state, r.natural_key as "naturalKey",
       r.confidence, r.reasons, r.fields, coalesce(r.content, c.content) as content
     from decided_content d
     join record r on r.jurisdiction = d.jurisdiction and r.id = d.record_id
     left join canonical_record c on c.jurisdiction = r.jurisdiction and c.profile = r.profile
       and c.natural_key = r.natural_key and c.version = r.version
     where d.jurisdiction = $1 and d.idempotency_key = any($2::bytea[]) and r.state in ('accepted', 'rejected')`,
    values: [jurisdiction, digestArray(idempotencyKeys)]
  })
  return rows
}

/** Lets a record speak for its content from now on; the latest decision counts. */
export async function keepDecision(
  tx: Tx,
  record: { readonly jurisdiction: string; readonly id: string; readonly idempotencyKey: string }
): Promise<void> {
  await tx.query(
    `insert into decided_content (jurisdiction, idempotency_key, record_id) values ($1, decode($2, 'hex'), $3)
     on conflict (jurisdiction, idempotency_key) do update set record_id = excluded.record_id`,
    [record.jurisdiction, record.idempotencyKey, record.id]
  )
}
