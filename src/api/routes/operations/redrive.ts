import { z } from 'zod'
import { requireJurisdiction } from '../../access/principal.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { ReasonCodes } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'

const Body = z.strictObject({
  jurisdiction: z.string().max(40),
  batch_id: z.uuid().optional(),
  codes: ReasonCodes.array().min(1).max(100).optional().meta({
    description: 'Without it those of failure class transient'
  }),
  source: z.string().max(100).optional(),
  min_age_seconds: z.number().min(0).max(1e10).optional().meta({ description: 'Held for at least so long' }),
  dry_run: z.boolean().default(true).meta({ description: 'false has them run again; else they are only counted' })
})

const Answer = z
  .object({
    dry_run: z.boolean(),
    records: z.number().int().meta({ description: 'Held records that the filter means and that may run again' }),
    groups: z.array(
      z.object({
        code: ReasonCodes.meta({ description: 'The reason by which it is meant; the first by name of several' }),
        source: z.string().nullable(),
        age: z.enum(['under an hour', 'under a day', 'under a week', 'older']),
        records: z.number().int(),
        asked: z.number().int().meta({ description: 'Asked to run again already, and waiting for it' })
      })
    ),
    ids: z.string().array().meta({ description: 'The first 100 of them' }),
    retried: z.number().int().meta({ description: 'How many were asked to run again: 0 in a dry run' })
  })
  .meta({ id: 'Redrive' })

export const redriveRoute: Route = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/quarantine/redrive',
    config: { access: ['review'] },
    schema: {
      tags: ['quarantine'],
      summary: 'Run held records of a jurisdiction again, or tell which these would be',
      description:
        'By default nothing is run: the records are counted by reason, source and age. Records with corrections by hand are left alone.',
      body: Body,
      response: { 200: Answer, ...problemResponses(400, 401, 403, 409, 503) }
    },
    handler: async request => {
      const { jurisdiction, batch_id: batchId = null, codes = null, source = null, dry_run } = request.body
      requireJurisdiction(request.principal, jurisdiction)
      const filter = { jurisdiction, batchId, codes, source, minAgeSeconds: request.body.min_age_seconds ?? null }
      const preview = await deps.review.previewRedrive(filter)
      const { retried } = dry_run ? { retried: 0 } : await deps.review.redriveHeld(filter)
      if (!dry_run) request.log.info({ jurisdiction, records: retried, operation: 'redrive' }, 'held records run again')
      return {
        dry_run,
        ...preview,
        groups: preview.groups as z.infer<typeof Answer>['groups'],
        ids: [...preview.ids],
        retried
      }
    }
  })
}
