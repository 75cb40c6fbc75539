import { z } from 'zod'
import { listEntriesOfSubject } from '../../../db/reads/audit-reads.ts'
import { pageOf, readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { AuditEntryBody, presentEntry } from '../../present/audit-entry.ts'
import { IdParams, Paging, pageSchema } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findRecord } from './find-record.ts'

const Place = z.tuple([z.int32()])

export const getAudit: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id/audit',
    config: { access: ['audit', 'review'] },
    schema: {
      tags: ['records'],
      summary: 'Audit chain of a record, in order',
      params: IdParams,
      querystring: z.object(Paging),
      response: { 200: pageSchema(AuditEntryBody), ...problemResponses(400, 401, 403, 404, 503) }
    },
    handler: async request => {
      const record = await findRecord(deps, request.params.id, request.principal)
      const { limit, cursor } = request.query
      const after = readCursor('audit', Place, cursor)?.[0] ?? 0
      const rows = await listEntriesOfSubject(deps.pool, record.jurisdiction, record.id, { after, limit: limit + 1 })
      const page = pageOf(rows, limit, row => writeCursor('audit', [row.seq]))
      return { data: page.rows.map(presentEntry), next_cursor: page.nextCursor }
    }
  })
}
