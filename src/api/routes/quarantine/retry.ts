import { problemResponses } from '../../http/problem-responses.ts'
import { IF_MATCH } from '../../http/revision.ts'
import { IdParams, RecordBody } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { actOnRecord } from './act-on-record.ts'

export const retryRecord: Route = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/quarantine/:id/retry',
    config: { access: ['review'], readByHand: IF_MATCH },
    schema: {
      tags: ['quarantine'],
      summary: 'Run a held record again',
      params: IdParams,
      response: { 200: RecordBody, ...problemResponses(400, 401, 403, 404, 409, 410, 412, 428, 503) }
    },
    handler: async (request, reply) => actOnRecord(deps, request, reply, target => deps.review.retryRecord(target))
  })
}
