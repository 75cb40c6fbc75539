import { z } from 'zod'
import { searchEntries } from '../../../audit/log/search.ts'
import { readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { AuditEntryBody, presentEntry } from '../../present/audit-entry.ts'
import { InstantAsked, InstantOfCursor, Paging, pageSchema } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { oneJurisdiction } from './jurisdiction.ts'

const Query = z.object({
  ...Paging,
  jurisdiction: z.string().max(40).optional(),
  subject: z.uuid().optional(),
  batch: z.uuid().optional(),
  actor: z.string().max(200).optional(),
  kind: z.enum(['batch', 'file', 'record', 'export']).optional(),
  from: InstantAsked.optional().meta({ description: 'Committed at this time or later' }),
  to: InstantAsked.optional().meta({ description: 'Committed before this time' })
})

const Place = z.tuple([InstantOfCursor, z.uuid(), z.int32().min(0)])

export const listAuditRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/audit',
    config: { access: ['audit'] },
    schema: {
      tags: ['audit'],
      summary: 'Audit entries of a jurisdiction, the newest commit first',
      description:
        'A request looks through a bounded number of commits: a page may be short, or empty, and more may follow. The last page is the one without next_cursor.',
      querystring: Query,
      response: { 200: pageSchema(AuditEntryBody), ...problemResponses(400, 401, 403, 422, 503) }
    },
    handler: async request => {
      const { limit, cursor, from, to, subject, batch, actor, kind } = request.query
      const jurisdiction = oneJurisdiction(request.principal, request.query.jurisdiction)
      const place = readCursor('audit-log', Place, cursor)
      const { entries, next } = await searchEntries(deps.pool, {
        jurisdiction,
        subject,
        batch,
        actor,
        kind,
        from: from ?? null,
        to: to ?? null,
        after: place ? { at: place[0], id: place[1], skip: place[2] } : null,
        limit
      })
      return {
        data: entries.map(one => presentEntry({ ...one, hash: one.hash.toString('hex') })),
        next_cursor: next ? writeCursor('audit-log', [next.at, next.id, next.skip]) : null
      }
    }
  })
}
