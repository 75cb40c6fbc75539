import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type ApiKeyRow, getLiveApiKey, touchApiKey } from '../../db/api-keys.ts'
import type { Pool } from '../../db/pool.ts'
import { AppError } from '../../errors.ts'
import type { Scope } from '../../model/states.ts'
import { hashSecret, readToken } from '../keys.ts'
import { hasScope, type Principal } from './principal.ts'

/** Who may call a route: anybody, or holders of one of these scopes. */
export type Access = 'public' | readonly Scope[]

/** How long a key is remembered: what is revoked is refused after this at the latest. */
const CACHE_MS = 5000

/** Keys remembered at once; unknown ids are remembered too, so that guessing does not reach the database. */
const CACHE_SIZE = 1000

/** Compared with when there is no such key, so that both refusals take the same time. */
const NO_HASH = Buffer.alloc(32)

export interface Authenticator {
  /** Throws `KEY_MISSING`, `KEY_UNKNOWN` or `SCOPE_MISSING`. */
  authenticate(request: FastifyRequest, scopes: readonly Scope[]): Promise<Principal>
}

function bearerOf(header: string | undefined): string {
  const match = /^Bearer +(\S{1,200})$/i.exec(header ?? '')
  if (match?.[1]) return match[1]
  throw new AppError('KEY_MISSING', 'Send the key in the Authorization header: Bearer <key>.')
}

function keyCache(pool: Pool, nowMs: () => number): (id: string) => Promise<ApiKeyRow | undefined> {
  const cache = new Map<string, { readonly key: Promise<ApiKeyRow | undefined>; readonly until: number }>()
  return id => {
    const now = nowMs()
    const found = cache.get(id)
    if (found && found.until > now) return found.key
    if (cache.size >= CACHE_SIZE) cache.clear()
    const key = getLiveApiKey(pool, id)
    cache.set(id, { key, until: now + CACHE_MS })
    key.then(
      row => (row ? touchApiKey(pool, id).catch(() => undefined) : undefined),
      // A look-up that failed says nothing about the key.
      () => cache.delete(id)
    )
    return key
  }
}

/** Checks keys against their hashes in constant time. `nowMs` is a monotonic clock. */
export function createAuthenticator(pool: Pool, nowMs: () => number): Authenticator {
  const lookUp = keyCache(pool, nowMs)
  return {
    async authenticate(request, scopes) {
      const { id, secret } = readToken(bearerOf(request.headers.authorization))
      const key = await lookUp(id)
      const same = timingSafeEqual(hashSecret(secret), key?.secretHash ?? NO_HASH)
      if (!key || !same) throw new AppError('KEY_UNKNOWN', 'The key is not valid. It may have ended.')
      const principal = { keyId: key.id, scopes: key.scopes, jurisdictions: key.jurisdictions }
      if (hasScope(principal, scopes)) return principal
      throw new AppError('SCOPE_MISSING', `The key needs one of these scopes: ${scopes.join(', ')}.`, {
        details: { scopes: [...scopes] }
      })
    }
  }
}
