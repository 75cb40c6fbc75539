import { z } from 'zod'
import { actorOf } from '../../access/principal.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { presentBatch } from '../../present/present-batch.ts'
import { BatchBody, IdParams, ReasonCodes } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findBatch } from './find-batch.ts'

export const cancelBatch: Route = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/batches/:id/cancel',
    config: { access: ['submit'] },
    schema: {
      tags: ['batches'],
      summary: 'Stop what has not started',
      params: IdParams,
      response: { 200: BatchBody, ...problemResponses(400, 401, 403, 404, 409, 503) }
    },
    handler: async request => {
      const { jurisdiction, id } = await findBatch(deps, request.params.id, request.principal)
      await deps.review.cancelBatch({ jurisdiction, batchId: id, actor: actorOf(request.principal) })
      return presentBatch(await findBatch(deps, id, request.principal))
    }
  })
}

const Query = z.object({
  codes: z
    .string()
    .max(2000)
    .transform(text => text.split(','))
    .pipe(z.array(ReasonCodes))
    .optional()
    .meta({ description: 'Reason codes, separated by commas; without it those of failure class transient' })
})

export const retryBatch: Route = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/batches/:id/retry',
    config: { access: ['review'] },
    schema: {
      tags: ['batches'],
      summary: 'Run held records again',
      params: IdParams,
      querystring: Query,
      response: { 200: z.object({ retried: z.number().int() }), ...problemResponses(400, 401, 403, 404, 409, 503) }
    },
    handler: async request => {
      const { jurisdiction, id } = await findBatch(deps, request.params.id, request.principal)
      const actor = actorOf(request.principal)
      const codes = request.query.codes ?? null
      const { retried } = await deps.review.retryBatch({ jurisdiction, batchId: id, actor, codes })
      return { retried }
    }
  })
}
