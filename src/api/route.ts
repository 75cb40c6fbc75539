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

/** JSON Schema of headers and of bodies by media type that a route reads by hand, so that no schema checks them. */
export interface ReadByHand {
  readonly headers?: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, { readonly type: 'string'; readonly description: string }>>
    readonly required?: readonly string[]
  }
  readonly body?: { readonly content: Readonly<Record<string, { readonly schema: Readonly<Record<string, unknown>> }>> }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route; one without it is refused at start. */
    access?: Access
    /** Told in the description of the API and checked by the route itself. */
    readByHand?: ReadByHand
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    principal: Principal
  }
}
