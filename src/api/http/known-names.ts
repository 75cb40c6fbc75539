import type { RouteOptions } from 'fastify'
import { z } from 'zod'

/** A form may bring names that are not ours, and the same fields may stand in the query. */
const TAKES_ANY = 'POST /v1/batches'

/**
 * A hook for routes as they are added: query parameters and members of a body that a route does not know are refused. A
 * filter that is misspelt must not list everything, nor a correction that is misspelt release a record without it.
 */
export function refuseUnknownNames(route: RouteOptions): void {
  const { schema } = route
  if (!schema || route.config?.access === undefined || `${String(route.method)} ${route.url}` === TAKES_ANY) return
  const { querystring = z.object({}), body } = schema
  if (querystring instanceof z.ZodObject) schema.querystring = querystring.strict()
  if (body instanceof z.ZodObject) schema.body = body.strict()
}

/** The names a schema knows; empty when it is no object. */
export function namesOf(schema: unknown): string[] {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? schema.unwrap() : schema
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : inner === schema ? [] : namesOf(inner)
}
