import { AppError } from '../../errors.ts'
import type { Scope } from '../../model/states.ts'

/** Who makes a request, and what their key allows. */
export interface Principal {
  readonly keyId: string
  readonly scopes: readonly Scope[]
  readonly jurisdictions: readonly string[]
}

/** Whether a key has one of these scopes; `admin` implies all of them. */
export const hasScope = (principal: Principal, scopes: readonly Scope[]): boolean =>
  principal.scopes.includes('admin') || scopes.some(scope => principal.scopes.includes(scope))

/** The jurisdictions a key may see; null means all of them. */
export const jurisdictionsOf = (principal: Principal): readonly string[] | null =>
  principal.jurisdictions.includes('*') ? null : principal.jurisdictions

/** The first jurisdictions of a key, and how many more there are. */
function told(jurisdictions: readonly string[]): string {
  const more = jurisdictions.length - 10
  return `${jurisdictions.slice(0, 10).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Throws `JURISDICTION_FORBIDDEN` when the key is not for this jurisdiction. */
export function requireJurisdiction(principal: Principal, jurisdiction: string): void {
  const allowed = jurisdictionsOf(principal)
  if (allowed === null || allowed.includes(jurisdiction)) return
  throw new AppError('JURISDICTION_FORBIDDEN', `The key is not for this jurisdiction but for ${told(allowed)}.`)
}

/** The jurisdictions a listing covers: those of the key, or the one asked for if the key is for it. */
export function jurisdictionsAsked(principal: Principal, asked: string | undefined): readonly string[] | null {
  if (asked === undefined) return jurisdictionsOf(principal)
  requireJurisdiction(principal, asked)
  return [asked]
}

/** Throws `SCOPE_MISSING` when a key may not read records: for routes of other scopes that show personal values. */
export function requireReading(principal: Principal): void {
  const scopes = ['read', 'review'] as const
  if (hasScope(principal, scopes)) return
  throw new AppError(
    'SCOPE_MISSING',
    `Personal values are shown to keys that have one of these scopes, too: ${scopes.join(', ')}.`,
    {
      details: { scopes: [...scopes] }
    }
  )
}

/** The actor of audit entries. */
export const actorOf = (principal: Principal): string => `key:${principal.keyId}`
