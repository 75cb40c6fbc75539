import { z } from 'zod'
import { listRevisionsOfRecord } from '../../../db/reads/record-revisions.ts'
import { pageOf, readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { presentRecords } from '../../present/present-record.ts'
import { IdParams, Paging, pageSchema, RecordBody } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findRecord } from './find-record.ts'

const Place = z.tuple([z.int32()])

const Revision = RecordBody.pick({
  revision: true,
  state: true,
  manifest_version: true,
  confidence: true,
  fields: true,
  reasons: true,
  decision: true
}).extend({ until: z.string().meta({ format: 'date-time', description: 'When the next revision took its place' }) })

export const listRevisions: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id/revisions',
    config: { access: ['read', 'review'] },
    schema: {
      tags: ['records'],
      summary: 'What a record was before each change: the values before and after a correction, with who made it',
      params: IdParams,
      querystring: z.object(Paging),
      response: { 200: pageSchema(Revision), ...problemResponses(400, 401, 403, 404, 410, 503) }
    },
    handler: async (request, reply) => {
      const record = await findRecord(deps, request.params.id, request.principal)
      const { limit, cursor } = request.query
      const after = readCursor(`revisions of ${record.id}`, Place, cursor)?.[0] ?? 0
      const rows = await listRevisionsOfRecord(deps.pool, record.jurisdiction, record.id, { after, limit: limit + 1 })
      const page = pageOf(rows, limit, row => writeCursor(`revisions of ${record.id}`, [row.revision]))
      const then = page.rows.map(({ replacedAt, ...row }) => ({ ...record, ...row, updatedAt: replacedAt }))
      const bodies = await presentRecords(deps, then, request.principal)
      reply.header('cache-control', 'no-store')
      return { data: bodies.map(body => ({ ...body, until: body.updated_at })), next_cursor: page.nextCursor }
    }
  })
}
