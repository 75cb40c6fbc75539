import { z } from 'zod'
import { listCancelledRanges } from '../../../db/reads/listings.ts'
import { listRecordsOfBatch } from '../../../db/reads/record-pages.ts'
import { RECORD_STATES } from '../../../model/states.ts'
import { pageOf, readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { presentRecords } from '../../present/present-record.ts'
import { IdParams, Paging, pageSchema, ReasonCodes, RecordBody } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findBatchRef } from './find-batch.ts'

/** Rows and lines are 32-bit integers in the database. */
const Position = z.coerce.number().int().min(0).max(2_147_483_647).optional()

const Query = z.object({
  ...Paging,
  state: z.enum(RECORD_STATES).optional(),
  row: Position,
  line: Position,
  file: z.string().max(255).optional().meta({ description: 'Name of a file of the batch' }),
  reason: ReasonCodes.optional()
})

/** A place in one batch is none in another: read there, it would pass over records in silence. */
const cursorsOf = (batchId: string): string => `records of ${batchId}`

const Place = z.tuple([z.int32(), z.int32()])

const CancelledRange = z.object({
  filename: z.string(),
  first_row: z.number().int().nullable(),
  first_line: z.number().int().nullable(),
  records: z.number().int()
})

const Body = pageSchema(RecordBody).extend({
  cancelled: z.array(CancelledRange).optional().meta({ description: 'Ranges never worked; on the last page' })
})

export const listRecords: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/records',
    config: { access: ['read', 'review'] },
    schema: {
      tags: ['batches'],
      summary: 'Records of a batch in order of file and row',
      params: IdParams,
      querystring: Query,
      response: { 200: Body, ...problemResponses(400, 401, 403, 404, 503) }
    },
    handler: async request => {
      const batch = await findBatchRef(deps, request.params.id, request.principal)
      const { limit, cursor, state, row, line, file, reason } = request.query
      const place = readCursor(cursorsOf(batch.id), Place, cursor)
      const rows = await listRecordsOfBatch(deps.pool, {
        jurisdiction: batch.jurisdiction,
        batchId: batch.id,
        dryRun: batch.dryRun,
        limit: limit + 1,
        state: state ?? null,
        row: row ?? null,
        line: line ?? null,
        file: file ?? null,
        reason: reason ?? null,
        after: place ? { fileNumber: place[0], item: place[1] } : null
      })
      const page = pageOf(rows, limit, last => writeCursor(cursorsOf(batch.id), [last.fileNumber, last.item]))
      const data = await presentRecords(deps, page.rows, request.principal)
      if (page.nextCursor !== null || batch.state !== 'cancelled') return { data, next_cursor: page.nextCursor }
      const ranges = await listCancelledRanges(deps.pool, batch.jurisdiction, batch.id)
      const cancelled = ranges.map(({ filename, firstItem, firstLine, records }) => ({
        filename,
        records,
        first_line: firstLine,
        first_row: firstItem === 0 ? null : firstItem
      }))
      return { data, next_cursor: null, cancelled }
    }
  })
}
