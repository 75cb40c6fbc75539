import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { exportLog, noteExport } from '../../../audit/log/export.ts'
import { AppError } from '../../../errors.ts'
import { errorFields } from '../../../logger.ts'
import { actorOf } from '../../access/principal.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import type { Route } from '../../route.ts'
import { oneJurisdiction } from './jurisdiction.ts'

/** Exports of a process at once: each holds a connection for as long as its client takes. */
const AT_ONCE = 2

export const exportRoute: Route = (app, deps) => {
  let running = 0
  app.route({
    method: 'GET',
    url: '/v1/audit/export',
    config: { access: ['audit'] },
    schema: {
      tags: ['audit'],
      summary: 'The whole audit log of a jurisdiction, one JSON object a line, to be verified elsewhere',
      querystring: z.object({ jurisdiction: z.string().max(40).optional() }),
      response: {
        200: { description: 'The log', content: { 'application/x-ndjson': { schema: z.string() } } },
        ...problemResponses(400, 401, 403, 422, 429, 503)
      }
    },
    handler: async (request, reply) => {
      const jurisdiction = oneJurisdiction(request.principal, request.query.jurisdiction)
      reply.type('application/x-ndjson').header('cache-control', 'no-store')
      if (request.method === 'HEAD') return reply.send('')
      if (running >= AT_ONCE)
        throw new AppError('QUEUE_FULL', 'Other exports are running. Ask again when they are done.')
      running += 1
      const out = new PassThrough()
      try {
        await noteExport(deps, { jurisdiction, actor: actorOf(request.principal) })
      } catch (error) {
        running -= 1
        throw error
      }
      exportLog(deps.pool, jurisdiction, lines => pipeline(Readable.from(lines), out))
        .catch((error: unknown) => {
          request.log.warn(errorFields(error), 'an export was cut off')
          out.destroy()
        })
        .finally(() => {
          running -= 1
        })
      return reply
        .header('content-disposition', `attachment; filename="audit-${jurisdiction}.ndjson"`)
        .send(out as never)
    }
  })
}
