import { AppError } from '../../../errors.ts'

/** How a secret is sent: as a header of its own, as a bearer token, or as `name:password`. */
export type Auth = 'bearer' | 'basic' | { readonly header: string }

/** Visible ASCII: what a header may hold. */
const SENDABLE = /^[\x20-\x7e]+$/

/**
 * The header that carries a secret; none without `auth`. Throws `CONFIG_INVALID`, without the secret, when it is missing or
 * cannot stand in a header.
 */
export function credentialsOf(auth: Auth | undefined, secret: string | undefined): Readonly<Record<string, string>> {
  if (auth === undefined) return {}
  const text = secret?.trim()
  if (text === undefined || text === '') {
    throw new AppError('CONFIG_INVALID', 'The registry is asked with credentials, and has no secret.')
  }
  if (auth === 'basic') return { authorization: `Basic ${Buffer.from(text, 'utf8').toString('base64')}` }
  if (!SENDABLE.test(text))
    throw new AppError('CONFIG_INVALID', 'The secret of a registry holds what no header may hold.')
  return auth === 'bearer' ? { authorization: `Bearer ${text}` } : { [auth.header]: text }
}
