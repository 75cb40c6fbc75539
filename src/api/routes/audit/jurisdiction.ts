import { AppError } from '../../../errors.ts'
import { jurisdictionsOf, type Principal, requireJurisdiction } from '../../access/principal.ts'

/**
 * The one jurisdiction that a question about the log is about: the one named, or that of a key for a single one. Throws
 * `JURISDICTION_FORBIDDEN`, and `FIELD_INVALID` when it has to be named.
 */
export function oneJurisdiction(principal: Principal, asked: string | undefined): string {
  if (asked !== undefined) {
    requireJurisdiction(principal, asked)
    return asked
  }
  const [only, ...more] = jurisdictionsOf(principal) ?? []
  if (only !== undefined && more.length === 0) return only
  throw new AppError('FIELD_INVALID', 'Each jurisdiction has a log of its own: say which, as jurisdiction=…', {
    details: { field: 'jurisdiction' }
  })
}
