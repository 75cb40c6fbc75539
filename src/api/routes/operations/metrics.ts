import { z } from 'zod'
import { toDatabaseError } from '../../../db/sqlstate.ts'
import type { Metrics } from '../../http/metrics.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import type { App } from '../../route.ts'

export const metricsRoute = (app: App, metrics: Metrics): void => {
  app.route({
    method: 'GET',
    url: '/metrics',
    config: { access: 'public' },
    schema: {
      tags: ['operations'],
      summary: 'Metrics in the Prometheus text format',
      response: {
        200: { description: 'Metrics', content: { 'text/plain': { schema: z.string() } } },
        ...problemResponses(503)
      }
    },
    handler: async (_request, reply) => {
      const text = await metrics.registry.metrics().catch((error: unknown) => {
        throw toDatabaseError(error)
      })
      return reply.type(metrics.registry.contentType).send(text)
    }
  })
}
