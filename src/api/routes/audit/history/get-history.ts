import { z } from 'zod'
import { listEntriesOfSubject } from '../../../../db/reads/audit-reads.ts'
import { pageOf, readCursor, writeCursor } from '../../../http/cursor.ts'
import { problemResponses } from '../../../http/problem-responses.ts'
import { PAGE_HEADERS } from '../../../present/html-page.ts'
import { IdParams, Paging } from '../../../present/schemas.ts'
import type { Route } from '../../../route.ts'
import { findEvenErased } from '../../records/find-record.ts'
import { eventsOf, HistoryEvent, historyPage, historyText } from './history-forms.ts'

/** Entries of a page for people: more than any record has in practice. */
const SHOWN = 1000

const Place = z.tuple([z.int32()])

const Body = z.object({
  record_id: z.string(),
  jurisdiction: z.string(),
  events: z.array(HistoryEvent),
  next_cursor: z.string().nullable()
})

const FORMS = { 'text/html': historyPage, 'text/plain': historyText } as const

/** The form that a request prefers: the first that its Accept header names, JSON without one. */
function formOf(accept: string | undefined): 'application/json' | keyof typeof FORMS {
  const names = (accept ?? '').split(',').map(part => part.split(';', 1)[0]?.trim().toLowerCase())
  const found = names.find(name => name === 'application/json' || name === 'text/html' || name === 'text/plain')
  return found ?? 'application/json'
}

export const getHistory: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id/history',
    config: { access: ['audit', 'review', 'read'] },
    schema: {
      tags: ['records'],
      summary: 'What happened to a record, in plain words: JSON, or by Accept text/plain or a page as text/html',
      params: IdParams,
      querystring: z.object(Paging),
      response: {
        200: {
          description: 'The history',
          content: {
            'application/json': { schema: Body },
            'text/plain': { schema: z.string() },
            'text/html': { schema: z.string() }
          }
        },
        ...problemResponses(400, 401, 403, 404, 503)
      }
    },
    handler: async (request, reply) => {
      const { limit, cursor } = request.query
      const form = formOf(request.headers.accept)
      const record = await findEvenErased(deps, request.params.id, request.principal)
      const { id, jurisdiction } = record
      const after = readCursor('history', Place, cursor)?.[0] ?? 0
      const size = form === 'application/json' ? limit : SHOWN
      const rows = await listEntriesOfSubject(deps.pool, jurisdiction, id, { after, limit: size + 1 })
      const page = pageOf(rows, size, row => writeCursor('history', [row.seq]))
      const events = eventsOf(page.rows)
      reply.header('vary', 'accept')
      if (form === 'application/json') {
        return { record_id: id, jurisdiction, events, next_cursor: page.nextCursor }
      }
      reply.headers(PAGE_HEADERS).type(`${form}; charset=utf-8`)
      return FORMS[form](record, events, page.nextCursor !== null)
    }
  })
}
