import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  ERASURE_REASONS,
  type ErasedRecord,
  findByNaturalKey,
  findSameContent
} from '../../../../db/retention/erasures.ts'
import { AppError } from '../../../../errors.ts'
import { eraseRecords } from '../../../../pipeline/erasure/erase-records.ts'
import { actorOf, requireJurisdiction } from '../../../access/principal.ts'
import type { ApiDeps } from '../../../deps.ts'
import { problemResponses } from '../../../http/problem-responses.ts'
import { IF_MATCH, requireRevision } from '../../../http/revision.ts'
import { IdParams } from '../../../present/schemas.ts'
import type { Route } from '../../../route.ts'
import { findRecord } from '../../records/find-record.ts'

/** Records that one request erases: each is a transaction, and the caller waits. */
const MOST = 500

const How = {
  reason: z.enum(ERASURE_REASONS),
  payload: z.enum(['overwrite', 'remove']).default('overwrite').meta({
    description:
      'overwrite: rows in a file that others share are overwritten. remove: a shared file whose rows cannot be overwritten (a workbook, an archive) is removed as a whole'
  })
}
type How = z.infer<z.ZodObject<typeof How>>

const Body = z.object({
  erased: z.array(z.string()).meta({ description: 'Records whose values are gone by this request' }),
  erased_before: z.array(z.string())
})

async function erase(
  deps: ApiDeps,
  request: FastifyRequest,
  how: How & { jurisdiction: string },
  found: ErasedRecord[]
) {
  if (found.length > MOST) {
    throw new AppError('REQUEST_TOO_LARGE', `More than ${MOST} records have this content or key.`, {
      details: { records: found.length }
    })
  }
  const { jurisdiction, reason } = how
  const work = {
    jurisdiction,
    reason,
    rule: null,
    actor: actorOf(request.principal),
    mode: how.payload === 'remove' ? ('share' as const) : ('overwrite' as const)
  }
  const erased = await eraseRecords(deps, work, found)
  const done = new Set(erased)
  return { erased, erased_before: found.map(one => one.id).filter(id => !done.has(id)) }
}

export const eraseRecordRoute: Route = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/records/:id/erase',
    config: { access: ['erase'], readByHand: IF_MATCH },
    schema: {
      tags: ['audit'],
      summary: 'Erase the values of a record and of every other with the same content, for good',
      params: IdParams,
      body: z.object(How),
      response: { 200: Body, ...problemResponses(400, 401, 403, 404, 409, 410, 412, 413, 422, 428, 503) }
    },
    handler: async request => {
      const { id, jurisdiction, revision } = await findRecord(deps, request.params.id, request.principal)
      requireRevision(request.headers['if-match'], revision)
      return erase(deps, request, { ...request.body, jurisdiction }, await findSameContent(deps.pool, jurisdiction, id))
    }
  })
}

export const eraseKeyRoute: Route = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/erasures',
    config: { access: ['erase'] },
    schema: {
      tags: ['audit'],
      summary: 'Erase the values of all records of a natural key, for good',
      body: z.object({
        jurisdiction: z.string().max(40),
        profile: z.string().max(64),
        natural_key: z.string().min(1).max(2000).meta({ description: 'As records show it' }),
        ...How
      }),
      response: { 200: Body, ...problemResponses(400, 401, 403, 404, 409, 413, 422, 503) }
    },
    handler: async request => {
      const { jurisdiction, profile, natural_key: key } = request.body
      requireJurisdiction(request.principal, jurisdiction)
      const found = await findByNaturalKey(deps.pool, jurisdiction, profile, key)
      if (found.length === 0) throw new AppError('NOT_FOUND', 'No record has this natural key.')
      return erase(deps, request, request.body, found)
    }
  })
}
