import { z } from 'zod'
import { problemResponses } from '../../http/problem-responses.ts'
import { IF_MATCH } from '../../http/revision.ts'
import { IdParams, RecordBody } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { actOnRecord, Corrections } from './act-on-record.ts'

const Body = z.object({ corrections: Corrections })

export const correctRecord: Route = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/quarantine/:id/corrections',
    config: { access: ['review'], readByHand: IF_MATCH },
    schema: {
      tags: ['quarantine'],
      summary: 'Correct a held record without releasing it',
      params: IdParams,
      body: Body,
      response: { 200: RecordBody, ...problemResponses(400, 401, 403, 404, 409, 410, 412, 422, 428, 503) }
    },
    handler: async (request, reply) =>
      actOnRecord(deps, request, reply, target => deps.review.correctRecord(target, request.body.corrections))
  })
}
