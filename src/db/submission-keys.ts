import type { Json } from '../model/json.ts'
import type { Queryable, Tx } from './pool.ts'

/** Names a reservation: `scope` is the principal for an Idempotency-Key, `digest` for a batch's content. */
export interface KeyName {
  readonly scope: string
  readonly key: string
}

export interface SubmissionKey {
  readonly state: 'running' | 'done'
  readonly fingerprint: Buffer | null
  readonly batchId: string | null
  readonly answer: Json
  /** Whole seconds until a running reservation lapses; 0 once it has. */
  readonly leaseSeconds: number
}

/**
 * Reserves a key for a running request. True when it was free, or its window or its holder's lease is over. One
 * statement: of two requests at the same moment one gets it.
 */
export async function reserveSubmissionKey(
  db: Queryable,
  name: KeyName,
  owner: string,
  leaseSeconds: number
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into submission_key (scope, key, jurisdiction, state, owner, lease_until, expires_at)
     values ($1, $2, '', 'running', $3, now() + make_interval(secs => $4), now() + make_interval(secs => $4))
     on conflict (scope, key) do update set jurisdiction = '', state = 'running', fingerprint = null, batch_id = null,
       answer = null, owner = excluded.owner, lease_until = excluded.lease_until, created_at = now(),
       expires_at = excluded.expires_at
     where submission_key.expires_at < now()
     returning 1`,
    [name.scope, name.key, owner, leaseSeconds]
  )
  return rowCount === 1
}

/** Extends the lease of a reservation still held; false when it was lost. */
export async function renewSubmissionKey(
  db: Queryable,
  name: KeyName,
  owner: string,
  leaseSeconds: number
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update submission_key set lease_until = now() + make_interval(secs => $4),
       expires_at = now() + make_interval(secs => $4)
     where scope = $1 and key = $2 and owner = $3 and state = 'running'`,
    [name.scope, name.key, owner, leaseSeconds]
  )
  return rowCount === 1
}

/** Gives up a reservation whose request failed, so that it can be tried again; keeps one that was answered. */
export async function releaseSubmissionKey(db: Queryable, name: KeyName, owner: string): Promise<void> {
  await db.query(`delete from submission_key where scope = $1 and key = $2 and owner = $3 and state = 'running'`, [
    name.scope,
    name.key,
    owner
  ])
}

/** A reservation that is still valid, if there is one. */
export async function getSubmissionKey(db: Queryable, name: KeyName): Promise<SubmissionKey | undefined> {
  const { rows } = await db.query<SubmissionKey & { leaseSeconds: number }>(
    `select state, fingerprint, batch_id as "batchId", answer,
       greatest(0, ceil(extract(epoch from lease_until - now())))::int as "leaseSeconds"
     from submission_key where scope = $1 and key = $2 and expires_at >= now()`,
    [name.scope, name.key]
  )
  return rows[0]
}

export interface KeyAnswer {
  readonly jurisdiction: string
  readonly fingerprint: Buffer
  readonly batchId: string
  readonly answer: Json
  readonly ttlSeconds: number
}

/** Stores the answer under a reservation; false when its owner has lost it, and the caller must roll back. */
export async function answerSubmissionKey(
  db: Queryable,
  name: KeyName,
  owner: string,
  answer: KeyAnswer
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update submission_key set state = 'done', jurisdiction = $4, fingerprint = $5, batch_id = $6, answer = $7,
       expires_at = now() + make_interval(secs => $8)
     where scope = $1 and key = $2 and owner = $3 and state = 'running'`,
    [
      name.scope,
      name.key,
      owner,
      answer.jurisdiction,
      answer.fingerprint,
      answer.batchId,
      JSON.stringify(answer.answer),
      answer.ttlSeconds
    ]
  )
  return rowCount === 1
}

/**
 * Binds a batch's content to its answer within the transaction that makes the batch. False when another live batch
 * holds it; a concurrent transaction for the same content is waited for. A cancelled batch holds nothing.
 */
export async function bindBatchDigest(
  tx: Tx,
  name: KeyName,
  bound: KeyAnswer & { readonly owner: string },
  force: boolean
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into submission_key (scope, key, jurisdiction, fingerprint, state, owner, lease_until, batch_id, answer, expires_at)
     values ($1, $2, $3, $4, 'done', $5, now(), $6, $7, now() + make_interval(secs => $8))
     on conflict (scope, key) do update set jurisdiction = excluded.jurisdiction, fingerprint = excluded.fingerprint,
       state = 'done', owner = excluded.owner, lease_until = excluded.lease_until, batch_id = excluded.batch_id,
       answer = excluded.answer, created_at = now(), expires_at = excluded.expires_at
     where submission_key.expires_at < now() or $9 or exists (
       select 1 from batch b where b.jurisdiction = submission_key.jurisdiction and b.id = submission_key.batch_id
         and b.state = 'cancelled')
     returning 1`,
    [
      name.scope,
      name.key,
      bound.jurisdiction,
      bound.fingerprint,
      bound.owner,
      bound.batchId,
      JSON.stringify(bound.answer),
      bound.ttlSeconds,
      force
    ]
  )
  return rowCount === 1
}

/** The answer of the live batch that holds this content within its window, if there is one. */
export async function findBatchByDigest(
  db: Queryable,
  name: KeyName
): Promise<{ batchId: string; answer: Json } | undefined> {
  const { rows } = await db.query<{ batchId: string; answer: Json }>(
    `select k.batch_id as "batchId", k.answer from submission_key k
     join batch b on b.jurisdiction = k.jurisdiction and b.id = k.batch_id
     where k.scope = $1 and k.key = $2 and k.expires_at >= now() and b.state <> 'cancelled'`,
    [name.scope, name.key]
  )
  return rows[0]
}

/** Removes reservations and answers whose window is over; answers how many. */
export async function deleteExpiredSubmissionKeys(db: Queryable): Promise<number> {
  const { rowCount } = await db.query('delete from submission_key where expires_at < now()')
  return rowCount ?? 0
}
