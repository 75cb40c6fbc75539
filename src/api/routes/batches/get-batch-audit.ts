import { z } from 'zod'
import { listEntriesOfBatch } from '../../../db/reads/audit-reads.ts'
import { pageOf, readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { AuditEntryBody, presentEntry } from '../../present/audit-entry.ts'
import { IdParams, Paging, pageSchema } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findBatch } from './find-batch.ts'

const Place = z.tuple([z.uuid(), z.int32()])

export const getBatchAudit: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/audit',
    config: { access: ['audit', 'review'] },
    schema: {
      tags: ['batches'],
      summary: 'Audit chains of a batch and of its files: who sent, cancelled and downloaded it',
      params: IdParams,
      querystring: z.object(Paging),
      response: { 200: pageSchema(AuditEntryBody), ...problemResponses(400, 401, 403, 404, 503) }
    },
    handler: async request => {
      const batch = await findBatch(deps, request.params.id, request.principal)
      const { limit, cursor } = request.query
      const place = readCursor('batch-audit', Place, cursor)
      const after = place ? { subjectId: place[0], seq: place[1] } : null
      const rows = await listEntriesOfBatch(deps.pool, batch.jurisdiction, batch.id, { after, limit: limit + 1 })
      const page = pageOf(rows, limit, row => writeCursor('batch-audit', [row.subjectId, row.seq]))
      return { data: page.rows.map(presentEntry), next_cursor: page.nextCursor }
    }
  })
}
