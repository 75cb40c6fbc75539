import type { Tx } from '../pool.ts'

/** Where the chain of a batch or a record ends, for one more entry about it. */
export interface ChainEnd {
  readonly batchId: string
  readonly auditSeq: number
  readonly auditHash: Buffer
  readonly manifestVersion: string
  /** Hex; null for a batch. */
  readonly idempotencyKey: string | null
}

export interface ChainSubjectId {
  readonly kind: 'batch' | 'record'
  readonly jurisdiction: string
  readonly id: string
}

const LOCK = {
  batch: `select b.id as "batchId", b.audit_seq as "auditSeq", b.audit_hash as "auditHash", m.version as "manifestVersion",
       null as "idempotencyKey"
     from batch b join manifest m on m.number = b.manifest where b.jurisdiction = $1 and b.id = $2 for no key update of b`,
  record: `select r.batch_id as "batchId", r.audit_seq as "auditSeq", r.audit_hash as "auditHash",
       m.version as "manifestVersion", encode(r.idempotency_key, 'hex') as "idempotencyKey"
     from record r join manifest m on m.number = r.manifest where r.jurisdiction = $1 and r.id = $2 for no key update of r`
} as const

/** Reads the end of a subject's chain and keeps others from adding to it until the transaction ends. */
export async function lockChainEnd(tx: Tx, { kind, jurisdiction, id }: ChainSubjectId): Promise<ChainEnd | undefined> {
  const { rows } = await tx.query<ChainEnd>(LOCK[kind], [jurisdiction, id])
  return rows[0]
}

const MOVE = {
  batch: 'update batch set audit_seq = audit_seq + 1, audit_hash = $3 where jurisdiction = $1 and id = $2',
  record: 'update record set audit_seq = audit_seq + 1, audit_hash = $3 where jurisdiction = $1 and id = $2'
} as const

/** Moves the ends of records' chains on by one entry each. The caller holds their locks. */
export async function moveRecordEnds(tx: Tx, jurisdiction: string, ends: ReadonlyMap<string, Buffer>): Promise<void> {
  await tx.query(
    `update record r set audit_seq = r.audit_seq + 1, audit_hash = e.hash
     from unnest($2::uuid[], $3::bytea[]) e(id, hash) where r.jurisdiction = $1 and r.id = e.id`,
    [jurisdiction, [...ends.keys()], [...ends.values()]]
  )
}

/** Moves the end of a chain on by one entry, and changes nothing else of the subject. */
export async function moveChainEnd(tx: Tx, { kind, jurisdiction, id }: ChainSubjectId, hash: Buffer): Promise<void> {
  await tx.query(MOVE[kind], [jurisdiction, id, hash])
}
