import { AppError } from '../../errors.ts'
import type { ReadByHand } from '../route.ts'

/** If-Match as it is described to clients; `requireRevision` reads it. */
export const IF_MATCH: ReadByHand = {
  headers: {
    type: 'object',
    properties: {
      'If-Match': { type: 'string', description: 'The revision decided on, as the ETag of the record: "1", in quotes' }
    },
    required: ['If-Match']
  }
}

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
  const told = /^"\d+"$/.test(header.trim())
    ? 'The record was changed since. Read it again.'
    : 'If-Match is not the ETag of the record, which is its revision in quotes, such as "1". Read it again.'
  throw new AppError('REVISION_STALE', told, { details: { current_revision: current } })
}
