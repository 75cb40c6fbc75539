import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { beginPublicExport, endPublicExport } from '../../../../audit/public-export/note-export.ts'
import { publicLines } from '../../../../audit/public-export/write-public-export.ts'
import { withSnapshot } from '../../../../db/verify/snapshot.ts'
import { AppError } from '../../../../errors.ts'
import { errorFields } from '../../../../logger.ts'
import { PII_CLASSES } from '../../../../profiles/profile.ts'
import { actorOf, requireReading } from '../../../access/principal.ts'
import { problemResponses } from '../../../http/problem-responses.ts'
import { InstantAsked } from '../../../present/schemas.ts'
import type { Route } from '../../../route.ts'
import { oneJurisdiction } from '../jurisdiction.ts'
import { releasedRecords } from './released-records.ts'

/** Exports of a process at once: each holds a connection for as long as its client takes. */
const AT_ONCE = 2
const DEFAULT_SHOWN = 'P0,P1'
/** Classes that may be shown to a key that reads no records. */
const PUBLIC = new Set(DEFAULT_SHOWN.split(','))

const Query = z.object({
  jurisdiction: z.string().max(40).optional(),
  batch: z.uuid().optional(),
  profile: z.string().max(64).optional(),
  from: InstantAsked.optional().meta({ description: 'Batches received at this time or later' }),
  to: InstantAsked.optional().meta({ description: 'Batches received before this time' }),
  show: z
    .string()
    .regex(/^P[0-4](?:,P[0-4])*$/)
    .default(DEFAULT_SHOWN)
    .meta({
      description: `Classes of fields that are shown, of ${PII_CLASSES.join(', ')}; all others are withheld. More than ${DEFAULT_SHOWN} needs the scope read or review, too`
    })
})

export const publicExportRoute: Route = (app, deps) => {
  let running = 0
  app.route({
    method: 'GET',
    url: '/v1/audit/public-export',
    config: { access: ['audit'] },
    schema: {
      tags: ['audit'],
      summary: 'Records for a public-records request, one JSON object a line, personal fields withheld provably',
      querystring: Query,
      response: {
        200: { description: 'The export', content: { 'application/x-ndjson': { schema: z.string() } } },
        ...problemResponses(400, 401, 403, 422, 429, 503)
      }
    },
    handler: async (request, reply) => {
      const { batch = null, profile = null, from = null, to = null, show } = request.query
      const jurisdiction = oneJurisdiction(request.principal, request.query.jurisdiction)
      const shown = [...new Set(show.split(','))].toSorted((a, b) => (a < b ? -1 : 1))
      if (shown.some(one => !PUBLIC.has(one))) requireReading(request.principal)
      const signing = await deps.signing()
      reply.type('application/x-ndjson').header('cache-control', 'no-store')
      if (request.method === 'HEAD') return reply.send('')
      if (running >= AT_ONCE)
        throw new AppError('QUEUE_FULL', 'Other exports are running. Ask again when they are done.')
      const scope = { jurisdiction, batch, profile, from, to }
      running += 1
      const out = new PassThrough()
      try {
        const about = { batch, profile, from, to, shown }
        const begun = await beginPublicExport(deps, { jurisdiction, actor: actorOf(request.principal), about })
        withSnapshot(deps.pool, async tx => {
          const records = releasedRecords(deps, tx, { ...scope, exportId: begun.id, shown: new Set(shown) })
          const lines = publicLines(begun, records, signing, what => endPublicExport(deps, begun, what))
          await pipeline(Readable.from(lines), out)
        })
          .catch((error: unknown) => {
            request.log.warn(errorFields(error), 'a public export was cut off')
            out.destroy()
          })
          .finally(() => {
            running -= 1
          })
        const name = `public-${jurisdiction}-${begun.id}.ndjson`
        return reply.header('content-disposition', `attachment; filename="${name}"`).send(out as never)
      } catch (error) {
        running -= 1
        throw error
      }
    }
  })
}
