import { problemResponses } from '../../http/problem-responses.ts'
import { IdParams, RecordBody } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findRecord } from './find-record.ts'
import { bodyOfRecord } from './send-record.ts'

export const getRecordRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id',
    config: { access: ['read', 'review'] },
    schema: {
      tags: ['records'],
      summary: 'One record; its ETag is its revision',
      params: IdParams,
      response: { 200: RecordBody, ...problemResponses(400, 401, 403, 404, 410, 503) }
    },
    handler: async (request, reply) => {
      const record = await findRecord(deps, request.params.id, request.principal)
      return bodyOfRecord(deps, record, request.principal, reply)
    }
  })
}
