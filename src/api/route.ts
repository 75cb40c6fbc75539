import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Access } from './access/authenticate.ts'
import type { Principal } from './access/principal.ts'
import type { ApiDeps } from './deps.ts'

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** Adds one route to the app. */
export type Route = (app: App, deps: ApiDeps) => void

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route; one without it is refused at start. */
    access?: Access
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    principal: Principal
  }
}
