import type { FastifyRequest, RouteOptions } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Metrics } from '../http/metrics.ts'
import type { App } from '../route.ts'
import type { Authenticator } from './authenticate.ts'
import type { Principal } from './principal.ts'

/** Pages of the documentation come with a plugin and cannot say it themselves. */
const PUBLIC_PAGES = '/docs'

/** Every route says who may call it; one that does not stops the start. */
function requireAccess(route: RouteOptions): void {
  if (route.url === PUBLIC_PAGES || route.url.startsWith(`${PUBLIC_PAGES}/`)) {
    route.config = { ...route.config, access: 'public' }
  }
  if (route.config?.access !== undefined) return
  throw new AppError('INTERNAL', `The route ${String(route.method)} ${route.url} does not say who may call it.`)
}

/** Checks the key of every request to a route that is not public, before its body is looked at. */
export function addAccessHooks(app: App, authenticator: Authenticator): void {
  app.decorateRequest('principal', null as unknown as Principal)
  app.addHook('onRoute', requireAccess)
  app.addHook('onRequest', async (request: FastifyRequest) => {
    // An address without a route has no access to check; it is answered 404.
    const access = request.is404 ? 'public' : request.routeOptions.config.access
    if (access === undefined) throw new AppError('INTERNAL', 'A route does not say who may call it.')
    if (access !== 'public') request.principal = await authenticator.authenticate(request, access)
  })
}

/** One log line and one observation per request: route and status, never the address, whose query may hold data. */
export function addRequestHooks(app: App, metrics: Metrics): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.observeRequest(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000
    )
    request.log.info(
      {
        method: request.method,
        route,
        http_status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(request.principal ? { key_id: request.principal.keyId } : {})
      },
      'request'
    )
  })
}
