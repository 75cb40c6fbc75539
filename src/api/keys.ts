import { createHash, randomBytes } from 'node:crypto'
import { type ApiKeyView, listApiKeys, revokeApiKey, upsertApiKey } from '../db/api-keys.ts'
import type { Queryable } from '../db/pool.ts'
import { AppError } from '../errors.ts'
import { SCOPES, type Scope } from '../model/states.ts'

/** The id under which the key from the configuration is kept. */
const BOOTSTRAP_ID = 'bootstrap'

/** Bytes of a secret: 256 bits, so that its plain sha-256 cannot be searched for. */
const SECRET_BYTES = 32
const ID_BYTES = 6

export interface NewKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** `*`, or codes of jurisdictions. */
  readonly jurisdictions: readonly string[]
  readonly expiresAt?: Date
}

export interface CreatedKey {
  readonly id: string
  /** Shown once; only its hash is kept. */
  readonly token: string
}

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** The parts of `dkt_<id>_<secret>`; any other text is the secret of the bootstrap key. */
export function readToken(token: string): { readonly id: string; readonly secret: string } {
  const match = /^dkt_([a-z0-9]{12})_([A-Za-z0-9_-]{43})$/.exec(token)
  return match ? { id: match[1] ?? '', secret: match[2] ?? '' } : { id: BOOTSTRAP_ID, secret: token }
}

const JURISDICTION = /^(?:\*|\d{2}|\d{5}|\d{7}|[a-z][a-z0-9-]{1,39})$/

function check(key: NewKey): void {
  const faults: string[] = []
  if (key.name.trim() === '') faults.push('a name is needed')
  if (key.scopes.length === 0) faults.push(`at least one scope is needed: ${SCOPES.join(', ')}`)
  if (key.scopes.some(scope => !SCOPES.includes(scope))) faults.push(`scopes are: ${SCOPES.join(', ')}`)
  if (key.jurisdictions.length === 0) faults.push('at least one jurisdiction is needed, or *')
  if (key.jurisdictions.some(code => !JURISDICTION.test(code)))
    faults.push('a jurisdiction is a FIPS code of 2, 5 or 7 digits, a name of small letters, digits and hyphens, or *')
  if (faults.length > 0) throw new AppError('FIELD_INVALID', `The key cannot be made: ${faults.join('; ')}.`)
}

/** Makes a key and answers its token, which cannot be shown again. Throws `FIELD_INVALID` naming every fault. */
export async function createKey(db: Queryable, key: NewKey): Promise<CreatedKey> {
  check(key)
  const id = randomBytes(ID_BYTES).toString('hex')
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  await upsertApiKey(db, {
    id,
    secretHash: hashSecret(secret),
    name: key.name,
    scopes: key.scopes,
    jurisdictions: key.jurisdictions,
    expiresAt: key.expiresAt ?? null
  })
  return { id, token: `dkt_${id}_${secret}` }
}

/** Ends a key; it is refused within 5 seconds everywhere. Throws `NOT_FOUND` when there is no live key of this id. */
export async function revokeKey(db: Queryable, id: string): Promise<void> {
  if (!(await revokeApiKey(db, id))) throw new AppError('NOT_FOUND', 'There is no live key of this id.')
}

/** All keys without their secrets. */
export async function listKeys(db: Queryable): Promise<ApiKeyView[]> {
  return listApiKeys(db)
}

/** Makes the key of the configuration an administrator of everything; a changed one takes the old one's place. */
export async function ensureBootstrapKey(db: Queryable, token: string): Promise<void> {
  const { id, secret } = readToken(token)
  await upsertApiKey(db, {
    id,
    secretHash: hashSecret(secret),
    name: 'bootstrap',
    scopes: ['admin'],
    jurisdictions: ['*'],
    expiresAt: null
  })
}
