import { AppError } from '../../errors.ts'

export const etagOf = (revision: number): string => `"${revision}"`

/**
 * The revision an If-Match header names. Throws `REVISION_REQUIRED` without one, and `REVISION_STALE` with the current
 * revision when it names another.
 */
export function requireRevision(header: string | undefined, current: number): number {
  if (header === undefined || header.trim() === '') {
    throw new AppError('REVISION_REQUIRED', 'Send If-Match with the ETag of the record as you saw it.', {
      details: { current_revision: current }
    })
  }
  if (header.trim() === etagOf(current)) return current
  throw new AppError('REVISION_STALE', 'The record was changed since. Read it again.', {
    details: { current_revision: current }
  })
}
