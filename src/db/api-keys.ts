import type { Scope } from '../model/states.ts'
import type { Queryable } from './pool.ts'

export interface ApiKeyRow {
  readonly id: string
  readonly secretHash: Buffer
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly jurisdictions: readonly string[]
}

/** A key that is neither revoked nor expired, by the database's clock. */
export async function getLiveApiKey(db: Queryable, id: string): Promise<ApiKeyRow | undefined> {
  const { rows } = await db.query<ApiKeyRow>(
    `select id, secret_hash as "secretHash", name, scopes, jurisdictions from api_key
     where id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [id]
  )
  return rows[0]
}

/** Notes that a key was used, at most once a minute. */
export async function touchApiKey(db: Queryable, id: string): Promise<void> {
  await db.query(
    `update api_key set last_used_at = now()
     where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [id]
  )
}

/** Adds a key, or gives an existing one of the same id this secret, these scopes and a new life. */
export async function upsertApiKey(db: Queryable, key: ApiKeyRow & { readonly expiresAt: Date | null }): Promise<void> {
  await db.query(
    `insert into api_key (id, secret_hash, name, scopes, jurisdictions, expires_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update set secret_hash = excluded.secret_hash, name = excluded.name, scopes = excluded.scopes,
       jurisdictions = excluded.jurisdictions, expires_at = excluded.expires_at, revoked_at = null`,
    [key.id, key.secretHash, key.name, key.scopes, key.jurisdictions, key.expiresAt]
  )
}

/** Ends a key; false when there is no such key or it ended before. */
export async function revokeApiKey(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query('update api_key set revoked_at = now() where id = $1 and revoked_at is null', [
    id
  ])
  return rowCount === 1
}

export interface ApiKeyView {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly jurisdictions: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
}

/** All keys, the oldest first, without their hashes. */
export async function listApiKeys(db: Queryable): Promise<ApiKeyView[]> {
  const { rows } = await db.query<ApiKeyView>(
    `select id, name, scopes, jurisdictions, created_at as "createdAt", expires_at as "expiresAt",
       revoked_at as "revokedAt", last_used_at as "lastUsedAt"
     from api_key order by created_at, id`
  )
  return rows
}
