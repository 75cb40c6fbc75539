import { z } from 'zod'
import { ensureJurisdiction } from '../../../db/batches.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { getMapping, saveMapping } from '../../../db/work/source-mappings.ts'
import { AppError } from '../../../errors.ts'
import { requestOptions } from '../../../intake/request-fields.ts'
import type { Profile } from '../../../profiles/profile.ts'
import { type SourceOptions, sentFields } from '../../../profiles/tabular/source-options.ts'
import { encodingOf } from '../../../tabular/text/encodings.ts'
import { actorOf, requireJurisdiction } from '../../access/principal.ts'
import type { ApiDeps } from '../../deps.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import {
  MappingBody,
  MappingOptions,
  optionsDigest,
  presentMapping,
  storedOptions,
  toOptions
} from '../../present/mapping-body.ts'
import type { Route } from '../../route.ts'

const Body = z.strictObject({
  jurisdiction: z.string().max(40),
  profile: z.string().max(63),
  source: z.string().max(100).nullable(),
  ...MappingOptions
})

const invalid = (field: string, message: string): AppError =>
  new AppError('FIELD_INVALID', message, { details: { field } })

/** Whose files it is for, checked as the fields of a submission are. */
function ownerOf(deps: ApiDeps, body: z.infer<typeof Body>) {
  const { jurisdiction, profile, source } = body
  const fields = new Map(Object.entries({ jurisdiction, profile, source: source ?? '' })) as Parameters<
    typeof requestOptions
  >[0]
  return requestOptions(fields, deps.intake.profiles)
}

function checkOptions(profile: Profile, options: SourceOptions): void {
  const known = sentFields(profile)
  const unknown = Object.values(options.columns ?? {}).some(field => field !== null && !known.includes(field))
  if (unknown) {
    throw invalid(
      'columns',
      `A column stands for no field of ${profile.name}. Fields that can be sent: ${known.join(', ')}.`
    )
  }
  if (options.encoding !== undefined && encodingOf(options.encoding) === null) {
    throw invalid('encoding', 'Files in this encoding are not read.')
  }
}

export const saveMappingRoute: Route = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/mappings',
    config: { access: ['review'] },
    schema: {
      tags: ['mappings'],
      summary: 'Save how the files of a source are read',
      body: Body,
      response: {
        200: MappingBody.meta({ description: 'The current version says the same; nothing was saved' }),
        201: MappingBody,
        ...problemResponses(400, 401, 403, 422, 503)
      }
    },
    handler: async (request, reply) => {
      const owner = ownerOf(deps, request.body)
      requireJurisdiction(request.principal, owner.jurisdiction)
      const profile = deps.profiles.get(owner.profile)
      if (!profile) throw new AppError('PROFILE_UNKNOWN', 'There is no such profile.')
      const options = toOptions(request.body)
      checkOptions(profile, options)
      const savedBy = actorOf(request.principal)
      const mapping = { options: storedOptions(options), digest: optionsDigest(options), savedBy }
      const saved = await withTransaction(deps.pool, async tx => {
        await ensureJurisdiction(tx, owner.jurisdiction)
        const { isNew } = await saveMapping(tx, owner, mapping)
        return { isNew, row: await getMapping(tx, owner) }
      })
      if (!saved.row) throw new AppError('INTERNAL', 'A mapping that was just saved is not there.')
      return reply.status(saved.isNew ? 201 : 200).send(presentMapping(saved.row, profile))
    }
  })
}
