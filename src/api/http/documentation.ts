import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { SCOPES } from '../../model/states.ts'
import type { Access } from '../access/authenticate.ts'
import type { App } from '../route.ts'

const describeAccess = (access: Access | undefined): string =>
  access === undefined || access === 'public'
    ? 'Public.'
    : `Scopes: ${access.length === SCOPES.length ? 'any' : access.join(' or ')}.`

/** The API's description, made from the route schemas; it has to be registered before the routes. */
export async function addDocumentation(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Docket',
        version: '1',
        description: 'Bulk submissions in; every record ends accepted, quarantined or rejected. Errors are RFC 9457.'
      },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{ key: [] }]
    },
    transformObject: jsonSchemaTransformObject,
    transform: input => {
      const transformed = jsonSchemaTransform(input)
      const access = input.route.config?.access
      const description = [transformed.schema?.description, describeAccess(access)].filter(Boolean).join(' ')
      const security = access === 'public' ? { security: [] } : {}
      const byHand = input.route.config?.readByHand
      return { ...transformed, schema: { ...transformed.schema, ...byHand, description, ...security } }
    }
  })
  app.route({
    method: 'GET',
    url: '/openapi.json',
    config: { access: 'public' },
    schema: {
      tags: ['operations'],
      summary: 'This description',
      response: { 200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: z.unknown() } } } }
    },
    handler: async (_request, reply) => reply.type('application/json').send(app.swagger())
  })
  await app.register(swaggerUi, { routePrefix: '/docs' })
}
