import type { z } from 'zod'
import { AppError } from '../../errors.ts'
import { holdsUnstorable } from './storable-text.ts'

/** Longest cursor looked at, in characters. */
const MAX_CURSOR = 512

/** An opaque text that says where a page ended; `list` keeps a cursor of one list from being used on another. */
export const writeCursor = (list: string, place: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([list, ...place])).toString('base64url')

/** Reads a cursor back. Throws `CURSOR_INVALID` for anything this list did not give. */
export function readCursor<T>(list: string, schema: z.ZodType<T>, cursor: string | undefined): T | undefined {
  if (cursor === undefined) return undefined
  try {
    if (cursor.length > MAX_CURSOR) throw new Error('too long')
    const [name, ...place] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    const parsed = schema.safeParse(place)
    if (name !== list || !parsed.success || holdsUnstorable(place)) throw new Error('of another list')
    return parsed.data
  } catch (cause) {
    throw new AppError('CURSOR_INVALID', 'The cursor is not one of this list. Start again without it.', { cause })
  }
}

/** Cuts a page out of rows fetched with one row more than the limit, which says whether there is a next page. */
export function pageOf<R>(
  rows: readonly R[],
  limit: number,
  cursorOf: (row: R) => string
): { readonly rows: readonly R[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null }
}
