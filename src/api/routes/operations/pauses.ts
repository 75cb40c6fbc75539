import { z } from 'zod'
import { endPause, insertPause, listPauses, type Pause } from '../../../db/operations/pauses.ts'
import { AppError } from '../../../errors.ts'
import { LANES } from '../../../model/states.ts'
import { countPausedJobs, type PausedJobs } from '../../../queue/held-jobs.ts'
import { actorOf, jurisdictionsOf, type Principal, requireJurisdiction } from '../../access/principal.ts'
import type { ApiDeps } from '../../deps.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import type { Route } from '../../route.ts'

const Body = z.strictObject({
  jurisdiction: z
    .string()
    .regex(/^(?:\d{2}|\d{5}|\d{7}|[a-z][a-z0-9-]{1,39})$/)
    .optional()
    .meta({ description: 'Without it the lane is meant in all of them, which needs a key for all' }),
  lane: z.enum(LANES).optional().meta({ description: 'Without it all lanes of the jurisdiction are meant' }),
  reason: z.string().trim().min(1).max(500).meta({ description: 'Why; kept with who and when' })
})

const PauseBody = z
  .object({
    id: z.string(),
    jurisdiction: z.string().nullable().meta({ description: 'null: all of them' }),
    lane: z.enum(LANES).nullable().meta({ description: 'null: all of them' }),
    reason: z.string(),
    paused_by: z.string(),
    paused_at: z.iso.datetime(),
    waiting_jobs: z.number().int().meta({ description: 'Jobs that wait for its end' }),
    running_jobs: z.number().int().meta({ description: 'Jobs begun before it that go on; 0: it is drained' })
  })
  .meta({ id: 'Pause' })

function scopeOf(principal: Principal, body: z.infer<typeof Body>) {
  const { jurisdiction, lane } = body
  if (jurisdiction !== undefined) requireJurisdiction(principal, jurisdiction)
  else if (lane === undefined) {
    throw new AppError('FIELD_INVALID', 'Say which work is meant: a jurisdiction, a lane, or a lane of a jurisdiction.')
  } else if (jurisdictionsOf(principal) !== null) {
    throw new AppError('JURISDICTION_FORBIDDEN', 'A lane of all jurisdictions needs a key for all of them.')
  }
  return { jurisdiction: jurisdiction ?? null, lane: lane ?? null }
}

const present = (pause: Pause, jobs: readonly PausedJobs[]): z.infer<typeof PauseBody> => {
  const counts = jobs.find(one => one.pauseId === pause.id)
  return {
    id: pause.id,
    jurisdiction: pause.jurisdiction,
    lane: pause.lane,
    reason: pause.reason,
    paused_by: pause.pausedBy,
    paused_at: pause.pausedAt.toISOString(),
    waiting_jobs: counts?.waiting ?? 0,
    running_jobs: counts?.running ?? 0
  }
}

const presentAll = async (deps: ApiDeps, pauses: readonly Pause[]): Promise<z.infer<typeof PauseBody>[]> => {
  const jobs = pauses.length > 0 ? await countPausedJobs(deps.pool) : []
  return pauses.map(pause => present(pause, jobs))
}

export const listPausesRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/pauses',
    config: { access: ['admin'] },
    schema: {
      tags: ['operations'],
      summary: 'Work that is held back, and how much of it still runs',
      response: { 200: z.object({ data: PauseBody.array() }), ...problemResponses(400, 401, 403, 503) }
    },
    handler: async request => ({
      data: await presentAll(deps, await listPauses(deps.pool, jurisdictionsOf(request.principal)))
    })
  })
}

export const pauseRoute: Route = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/pauses',
    config: { access: ['admin'] },
    schema: {
      tags: ['operations'],
      summary: 'Hold back the work of a jurisdiction, of a lane, or of a lane of a jurisdiction',
      description:
        'Workers stop fetching it within seconds; jobs in hand end. Submissions are taken as before and wait. Of a scope that is paused already the pause in force is answered.',
      body: Body,
      response: { 200: PauseBody, ...problemResponses(400, 401, 403, 422, 503) }
    },
    handler: async request => {
      const scope = scopeOf(request.principal, request.body)
      const actor = actorOf(request.principal)
      const begun = await insertPause(deps.pool, { ...scope, id: deps.newId(), reason: request.body.reason, actor })
      const { jurisdiction, lane } = scope
      const inForce = await listPauses(deps.pool, jurisdiction === null ? null : [jurisdiction])
      const pause = begun ?? inForce.find(one => one.jurisdiction === jurisdiction && one.lane === lane)
      // Resumed by somebody else at this very moment.
      if (!pause) throw new AppError('DATABASE_CONFLICT', 'The work was resumed meanwhile. Send the request again.')
      return present(pause, await countPausedJobs(deps.pool))
    }
  })
}

export const resumeRoute: Route = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/pauses/resume',
    config: { access: ['admin'] },
    schema: {
      tags: ['operations'],
      summary: 'End the pause of exactly this scope',
      body: Body,
      response: { 200: z.object({ id: z.string() }), ...problemResponses(400, 401, 403, 404, 422, 503) }
    },
    handler: async request => {
      const scope = scopeOf(request.principal, request.body)
      const { reason } = request.body
      const ended = await endPause(deps.pool, { ...scope, reason, actor: actorOf(request.principal) })
      if (!ended) throw new AppError('NOT_FOUND', 'There is no pause of exactly this scope.')
      return { id: ended.id }
    }
  })
}
