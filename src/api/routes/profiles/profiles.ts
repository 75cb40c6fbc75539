import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import { SCOPES } from '../../../model/states.ts'
import { manifestVersion } from '../../../profiles/manifest-version.ts'
import type { Profile } from '../../../profiles/profile.ts'
import { csvTemplate } from '../../../profiles/schema/csv-template.ts'
import { jsonSchema } from '../../../profiles/schema/values-schema.ts'
import type { ApiDeps } from '../../deps.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import type { Route } from '../../route.ts'

const NameParams = z.object({ name: z.string() })

const ProfileBody = z.object({
  name: z.string(),
  title: z.string(),
  version: z.number().int(),
  manifest_version: z.string(),
  links: z.object({ schema: z.string(), template: z.string() })
})

function findProfile(deps: ApiDeps, name: string): Profile {
  const profile = deps.profiles.get(name)
  if (!profile) throw new AppError('NOT_FOUND', 'There is no profile of this name.')
  return profile
}

export const listProfiles: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/profiles',
    config: { access: SCOPES },
    schema: {
      tags: ['profiles'],
      summary: 'Kinds of record that are taken',
      response: { 200: z.object({ data: z.array(ProfileBody) }), ...problemResponses(400, 401, 403, 503) }
    },
    handler: async () => ({
      data: [...deps.profiles.values()].map(profile => ({
        name: profile.name,
        title: profile.title,
        version: profile.version,
        manifest_version: manifestVersion(profile),
        links: { schema: `/v1/profiles/${profile.name}/schema`, template: `/v1/profiles/${profile.name}/template.csv` }
      }))
    })
  })
}

export const getSchema: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/profiles/:name/schema',
    config: { access: SCOPES },
    schema: {
      tags: ['profiles'],
      summary: 'JSON Schema (2020-12) of accepted values',
      params: NameParams,
      response: {
        200: { description: 'JSON Schema', content: { 'application/schema+json': { schema: z.unknown() } } },
        ...problemResponses(400, 401, 403, 404, 503)
      }
    },
    handler: async (request, reply) => {
      const schema = jsonSchema(findProfile(deps, request.params.name))
      return reply.type('application/schema+json').send(schema)
    }
  })
}

export const getTemplate: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/profiles/:name/template.csv',
    config: { access: SCOPES },
    schema: {
      tags: ['profiles'],
      summary: 'An empty file to fill in',
      params: NameParams,
      response: {
        200: { description: 'Header line', content: { 'text/csv': { schema: z.string() } } },
        ...problemResponses(400, 401, 403, 404, 503)
      }
    },
    handler: async (request, reply) => {
      const profile = findProfile(deps, request.params.name)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${profile.name}.csv"`)
        .send(csvTemplate(profile))
    }
  })
}
