import { z } from 'zod'
import { readOpening } from '../../../db/reads/record-openings.ts'
import { AppError } from '../../../errors.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { IdParams } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findRecord } from './find-record.ts'

const Body = z.object({
  record_id: z.string(),
  revision: z.number().int(),
  salt: z.string().meta({ description: 'In hex, as it was hashed' }),
  text: z
    .string()
    .meta({ description: 'JSON of confidence, content, decision, fields, place, key, reasons and state' }),
  content: z
    .string()
    .meta({ description: 'SHA-256 of salt and text, as the newest entry that changed the record has it' })
})

/** Shows what an audit entry has only committed to: whoever is given it can compare it with the entry and its proof. */
export const getOpening: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id/opening',
    config: { access: ['read', 'review'] },
    schema: {
      tags: ['records'],
      summary: 'Salt and text behind the commitment in the newest audit entry of a record',
      params: IdParams,
      response: { 200: Body, ...problemResponses(400, 401, 403, 404, 410, 503) }
    },
    handler: async (request, reply) => {
      const { id, jurisdiction } = await findRecord(deps, request.params.id, request.principal)
      const opening = await readOpening(deps.pool, jurisdiction, id)
      if (!opening) throw new AppError('NOT_FOUND', 'No audit entry commits to what this record is.')
      reply.header('cache-control', 'no-store')
      return { record_id: id, ...opening }
    }
  })
}
