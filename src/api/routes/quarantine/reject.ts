import { z } from 'zod'
import { problemResponses } from '../../http/problem-responses.ts'
import { IF_MATCH } from '../../http/revision.ts'
import { IdParams, ReasonCodes, RecordBody } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { actOnRecord } from './act-on-record.ts'

const Body = z.object({ reason: ReasonCodes, comment: z.string().trim().min(1).max(2000) })

export const rejectRecord: Route = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/quarantine/:id/reject',
    config: { access: ['review'], readByHand: IF_MATCH },
    schema: {
      tags: ['quarantine'],
      summary: 'Reject a held record',
      params: IdParams,
      body: Body,
      response: { 200: RecordBody, ...problemResponses(400, 401, 403, 404, 409, 410, 412, 422, 428, 503) }
    },
    handler: async (request, reply) =>
      actOnRecord(deps, request, reply, target => deps.review.rejectRecord(target, request.body))
  })
}
