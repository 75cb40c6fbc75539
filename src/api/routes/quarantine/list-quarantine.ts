import { z } from 'zod'
import { listQuarantine } from '../../../db/reads/quarantine-reads.ts'
import type { StoredRecord } from '../../../db/reads/record-reads.ts'
import { jurisdictionsAsked } from '../../access/principal.ts'
import { pageOf, readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { presentRecords } from '../../present/present-record.ts'
import { FailureClass, InstantOfCursor, Paging, pageSchema, ReasonCodes, RecordBody } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'

const Query = z.object({
  ...Paging,
  jurisdiction: z.string().max(40).optional(),
  profile: z.string().max(63).optional(),
  reason: ReasonCodes.optional(),
  failure_class: FailureClass.optional(),
  source: z.string().max(100).optional(),
  batch_id: z.uuid().optional(),
  due_by: z.iso.date().optional().meta({ description: 'Whose statutory day is this one or before it' }),
  sort: z
    .enum(['received', 'due'])
    .default('received')
    .meta({ description: 'due: only records with a statutory day, the first due first' }),
  min_age_seconds: z.coerce.number().min(0).max(1e10).optional()
})

/** Where a page ends, in each order. */
const PLACES = {
  received: z.tuple([InstantOfCursor, z.uuid()]),
  due: z.tuple([z.iso.date(), z.uuid()])
} as const

type Order = keyof typeof PLACES

/** Cursors of one order are none of the other. */
const cursorOf = (order: Order): string => (order === 'due' ? 'quarantine by due' : 'quarantine')

function placeOf(order: Order, row: StoredRecord): [string, string] {
  const due = row.content?.['statutory_due_at']
  return [order === 'due' && typeof due === 'string' ? due : row.createdAtText, row.id]
}

export const listQuarantineRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/quarantine',
    config: { access: ['review', 'read'] },
    schema: {
      tags: ['quarantine'],
      summary: 'Records that wait for a person, the longest waiting or the first due first',
      querystring: Query,
      response: { 200: pageSchema(RecordBody), ...problemResponses(400, 401, 403, 503) }
    },
    handler: async request => {
      const query = request.query
      const order = query.sort
      const place = readCursor(cursorOf(order), PLACES[order], query.cursor)
      const rows = await listQuarantine(deps.pool, {
        jurisdictions: jurisdictionsAsked(request.principal, query.jurisdiction),
        profile: query.profile ?? null,
        reason: query.reason ?? null,
        failureClass: query.failure_class ?? null,
        source: query.source ?? null,
        batchId: query.batch_id ?? null,
        minAgeSeconds: query.min_age_seconds ?? null,
        dueBy: query.due_by ?? null,
        order,
        after: place ? { at: place[0], id: place[1] } : null,
        limit: query.limit + 1
      })
      const page = pageOf(rows, query.limit, row => writeCursor(cursorOf(order), placeOf(order, row)))
      return { data: await presentRecords(deps, page.rows, request.principal), next_cursor: page.nextCursor }
    }
  })
}
