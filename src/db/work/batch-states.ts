import type { Queryable, Tx } from '../pool.ts'

export interface FinishedBatch {
  readonly jurisdiction: string
  readonly id: string
  readonly manifestVersion: string
  readonly auditSeq: number
  readonly auditHash: Buffer
}

/** A batch `b` that has not ended and has nothing left to do: every file split, no chunk pending, no correction unsettled. */
const IS_DUE = `b.jurisdiction = $1 and b.id = $2 and b.state in ('queued', 'processing')
  and not exists (select 1 from file f where f.jurisdiction = $1 and f.batch_id = $2 and f.state in ('received', 'splitting'))
  and not exists (select 1 from chunk c where c.jurisdiction = $1 and c.batch_id = $2 and c.state = 'pending')
  and not exists (select 1 from correction k where k.jurisdiction = $1 and k.batch_id = $2 and k.settled_at is null)`

/** Whether a batch has nothing left to do and nobody has ended it: what most commits of a batch find is not so. */
export async function isDue(db: Queryable, jurisdiction: string, batchId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is-due',
    text: `select 1 from batch b where ${IS_DUE}`,
    values: [jurisdiction, batchId]
  })
  return rowCount === 1
}

/** Locks a batch that is due; undefined when it is not, or when another worker is closing it right now. */
export async function lockFinishedBatch(
  tx: Tx,
  jurisdiction: string,
  batchId: string
): Promise<FinishedBatch | undefined> {
  const { rows } = await tx.query<FinishedBatch>({
    name: 'lock-finished-batch',
    text: `select b.jurisdiction, b.id, m.version as "manifestVersion", b.audit_seq as "auditSeq", b.audit_hash as "auditHash"
     from batch b join manifest m on m.number = b.manifest
     where ${IS_DUE} for update of b skip locked`,
    values: [jurisdiction, batchId]
  })
  return rows[0]
}

/** Ends a batch in the given state, together with its closing audit entry. */
export async function finishBatch(
  tx: Tx,
  batch: { jurisdiction: string; id: string; auditSeq: number; auditHash: Buffer },
  state: 'completed' | 'cancelled'
): Promise<void> {
  await tx.query(
    `update batch set state = $3, finished_at = now(), started_at = coalesce(started_at, now()), audit_seq = $4, audit_hash = $5
     where jurisdiction = $1 and id = $2 and state in ('queued', 'processing')`,
    [batch.jurisdiction, batch.id, state, batch.auditSeq, batch.auditHash]
  )
}

/** Outcomes of a batch as its chunks counted them. */
export async function sumBatch(
  db: Queryable,
  jurisdiction: string,
  batchId: string
): Promise<{ accepted: number; duplicate: number; quarantined: number; rejected: number; cancelled: number }> {
  const { rows } = await db.query<{
    accepted: number
    duplicate: number
    quarantined: number
    rejected: number
    cancelled: number
  }>(
    `select coalesce(sum(accepted), 0)::int as accepted, coalesce(sum(duplicate), 0)::int as duplicate,
       coalesce(sum(quarantined), 0)::int as quarantined, coalesce(sum(rejected), 0)::int as rejected,
       coalesce(sum(record_count) filter (where state = 'cancelled'), 0)::int as cancelled
     from chunk where jurisdiction = $1 and batch_id = $2`,
    [jurisdiction, batchId]
  )
  return rows[0] ?? { accepted: 0, duplicate: 0, quarantined: 0, rejected: 0, cancelled: 0 }
}
