import { z } from 'zod'
import { listBatches } from '../../../db/reads/listings.ts'
import { BATCH_STATES, LANES } from '../../../model/states.ts'
import { jurisdictionsAsked } from '../../access/principal.ts'
import { pageOf, readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { presentLine } from '../../present/present-batch.ts'
import { BatchSummary, Paging, pageSchema } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'

const Query = z.object({
  ...Paging,
  jurisdiction: z.string().max(40).optional(),
  state: z.enum(BATCH_STATES).optional(),
  profile: z.string().max(63).optional(),
  source: z.string().max(100).optional(),
  lane: z.enum(LANES).optional()
})

const Place = z.tuple([z.uuid()])

export const listBatchesRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/batches',
    config: { access: ['read', 'submit', 'review'] },
    schema: {
      tags: ['batches'],
      summary: 'Batches, the newest first',
      querystring: Query,
      response: { 200: pageSchema(BatchSummary), ...problemResponses(400, 401, 403, 503) }
    },
    handler: async request => {
      const { limit, cursor, jurisdiction, state, profile, source, lane } = request.query
      const rows = await listBatches(deps.pool, {
        jurisdictions: jurisdictionsAsked(request.principal, jurisdiction),
        state: state ?? null,
        profile: profile ?? null,
        source: source ?? null,
        lane: lane ?? null,
        before: readCursor('batches', Place, cursor)?.[0] ?? null,
        limit: limit + 1
      })
      const page = pageOf(rows, limit, row => writeCursor('batches', [row.id]))
      return { data: page.rows.map(presentLine), next_cursor: page.nextCursor }
    }
  })
}
