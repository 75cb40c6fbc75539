import { z } from 'zod'
import { pendingMigrations } from '../../../db/migrate.ts'
import { writeHeartbeat } from '../../../db/reads/listings.ts'
import { errorFields } from '../../../logger.ts'
import type { ApiDeps } from '../../deps.ts'
import type { Route } from '../../route.ts'

/** The longest a check may take; what is slower than this is not ready. */
const CHECK_MS = 1000

type Checks = Readonly<Record<string, () => Promise<void>>>

const Readiness = z.object({
  ready: z.boolean(),
  checks: z.record(z.string(), z.enum(['ok', 'failed']))
})

const checksOf = (deps: ApiDeps): Checks => ({
  draining: async () => {
    if (deps.isDraining()) throw new Error('draining')
  },
  database: () => writeHeartbeat(deps.pool, 'api'),
  store: () => deps.store.check(),
  migrations: async () => {
    if ((await pendingMigrations(deps.pool)).length > 0) throw new Error('migrations are missing')
  }
})

async function withinLimit(check: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), CHECK_MS)
  })
  try {
    await Promise.race([check(), late])
  } finally {
    clearTimeout(timer)
  }
}

async function runChecks(deps: ApiDeps, checks: Checks): Promise<z.infer<typeof Readiness>> {
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, 'ok' | 'failed']> => {
      try {
        await withinLimit(check)
        return [name, 'ok']
      } catch (error) {
        deps.logger.warn({ ...errorFields(error), operation: name }, 'not ready')
        return [name, 'failed']
      }
    })
  )
  return { ready: entries.every(([, outcome]) => outcome === 'ok'), checks: Object.fromEntries(entries) }
}

export const healthz: Route = app => {
  app.route({
    method: 'GET',
    url: '/healthz',
    config: { access: 'public' },
    schema: {
      tags: ['operations'],
      summary: 'Whether the process answers; asks nothing else',
      response: { 200: z.object({ alive: z.literal(true) }) }
    },
    handler: async () => ({ alive: true as const })
  })
}

export const readyz: Route = (app, deps) => {
  const checks = checksOf(deps)
  app.route({
    method: 'GET',
    url: '/readyz',
    config: { access: 'public' },
    schema: {
      tags: ['operations'],
      summary: 'Whether requests can be served: database takes writes, store, migrations, not draining',
      response: { 200: Readiness, 503: Readiness }
    },
    handler: async (_request, reply) => {
      const readiness = await runChecks(deps, checks)
      return reply.code(readiness.ready ? 200 : 503).send(readiness)
    }
  })
}
