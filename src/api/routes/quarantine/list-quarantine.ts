import { z } from 'zod'
import { listQuarantine } from '../../../db/reads/quarantine-reads.ts'
import { jurisdictionsAsked } from '../../access/principal.ts'
import { pageOf, readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { presentRecords } from '../../present/present-record.ts'
import { FailureClass, Paging, pageSchema, ReasonCodes, RecordBody } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'

const Query = z.object({
  ...Paging,
  jurisdiction: z.string().max(40).optional(),
  profile: z.string().max(63).optional(),
  reason: ReasonCodes.optional(),
  failure_class: FailureClass.optional(),
  source: z.string().max(100).optional(),
  batch_id: z.uuid().optional(),
  min_age_seconds: z.coerce.number().min(0).max(1e10).optional()
})

const Place = z.tuple([z.iso.datetime({ precision: 6 }), z.uuid()])

export const listQuarantineRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/quarantine',
    config: { access: ['review', 'read'] },
    schema: {
      tags: ['quarantine'],
      summary: 'Records that wait for a person, the longest waiting first',
      querystring: Query,
      response: { 200: pageSchema(RecordBody), ...problemResponses(400, 401, 403, 503) }
    },
    handler: async request => {
      const query = request.query
      const place = readCursor('quarantine', Place, query.cursor)
      const rows = await listQuarantine(deps.pool, {
        jurisdictions: jurisdictionsAsked(request.principal, query.jurisdiction),
        profile: query.profile ?? null,
        reason: query.reason ?? null,
        failureClass: query.failure_class ?? null,
        source: query.source ?? null,
        batchId: query.batch_id ?? null,
        minAgeSeconds: query.min_age_seconds ?? null,
        after: place ? { createdAt: place[0], id: place[1] } : null,
        limit: query.limit + 1
      })
      const page = pageOf(rows, query.limit, row => writeCursor('quarantine', [row.createdAtText, row.id]))
      return { data: await presentRecords(deps, page.rows, request.principal), next_cursor: page.nextCursor }
    }
  })
}
