import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Names and texts anywhere in plain data; without recursion, which nesting could exhaust. */
export function holdsUnstorable(value: unknown): boolean {
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string' && !isStorable(next)) return true
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next) && !Object.keys(next).every(isStorable)) return true
    for (const member of Object.values(next)) open.push(member)
  }
  return false
}

/**
 * A hook for what no text of the database can hold: NUL and halves of characters in the query or in a JSON body. Throws
 * `REQUEST_INVALID`. A submission is judged where it is read: its body is a stream, and its file names are mended instead.
 */
export async function refuseUnstorableText(request: FastifyRequest): Promise<void> {
  const isSubmission = request.method === 'POST' && request.routeOptions.url === '/v1/batches'
  if (isSubmission) return
  const place = holdsUnstorable(request.query) ? 'query' : holdsUnstorable(request.body) ? 'body' : null
  if (place === null) return
  throw new AppError('REQUEST_INVALID', `The ${place} holds a NUL or half of a character. Send text without it.`, {
    details: { in: place }
  })
}
