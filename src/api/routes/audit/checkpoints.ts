import { z } from 'zod'
import { proveConsistency } from '../../../audit/log/prove.ts'
import { listCheckpoints } from '../../../db/log/checkpoints.ts'
import { AppError } from '../../../errors.ts'
import { pageOf, readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { CheckpointBody, HashPath, presentCheckpoint, presentPath } from '../../present/checkpoint.ts'
import { Paging, pageSchema } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { oneJurisdiction } from './jurisdiction.ts'

const Jurisdiction = z.string().max(40).optional()
const Place = z.tuple([z.int().min(1)])
const Size = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

export const listCheckpointsRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/checkpoints',
    config: { access: ['audit', 'review', 'read'] },
    schema: {
      tags: ['audit'],
      summary: "Signed checkpoints of a jurisdiction's audit log, the newest first",
      querystring: z.object({ ...Paging, jurisdiction: Jurisdiction }),
      response: { 200: pageSchema(CheckpointBody), ...problemResponses(400, 401, 403, 422, 503) }
    },
    handler: async request => {
      const { limit, cursor } = request.query
      const jurisdiction = oneJurisdiction(request.principal, request.query.jurisdiction)
      const before = readCursor('checkpoints', Place, cursor)?.[0] ?? null
      const rows = await listCheckpoints(deps.pool, jurisdiction, { before, limit: limit + 1 })
      const page = pageOf(rows, limit, row => writeCursor('checkpoints', [row.size]))
      return { data: page.rows.map(row => presentCheckpoint(jurisdiction, row)), next_cursor: page.nextCursor }
    }
  })
}

export const consistencyRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/checkpoints/consistency',
    config: { access: ['audit', 'review', 'read'] },
    schema: {
      tags: ['audit'],
      summary: "Proof that one checkpoint's log begins with another's",
      querystring: z.object({ jurisdiction: Jurisdiction, from: Size, to: Size }),
      response: {
        200: z.object({ from: CheckpointBody, to: CheckpointBody, path: HashPath }),
        ...problemResponses(400, 401, 403, 404, 422, 503)
      }
    },
    handler: async request => {
      const { from, to } = request.query
      const jurisdiction = oneJurisdiction(request.principal, request.query.jurisdiction)
      if (from > to) throw new AppError('FIELD_INVALID', 'from is larger than to.', { details: { field: 'from' } })
      const proof = await proveConsistency(deps.pool, jurisdiction, from, to)
      if (!proof) throw new AppError('NOT_FOUND', 'There are no checkpoints of these sizes.')
      return {
        from: presentCheckpoint(jurisdiction, proof.older),
        to: presentCheckpoint(jurisdiction, proof.newer),
        path: presentPath(proof.path)
      }
    }
  })
}
