import { z } from 'zod'
import { listMappings } from '../../../db/work/source-mappings.ts'
import { jurisdictionsAsked } from '../../access/principal.ts'
import { pageOf, readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { MappingBody, presentMapping } from '../../present/mapping-body.ts'
import { Paging, pageSchema } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'

const Query = z.object({
  ...Paging,
  jurisdiction: z.string().max(40).optional(),
  profile: z.string().max(63).optional(),
  source: z.string().max(100).optional(),
  versions: z
    .enum(['current', 'all'])
    .default('current')
    .meta({ description: 'all: also versions that later ones replaced' })
})

const Place = z.tuple([z.string(), z.string(), z.string(), z.int32()])

export const listMappingsRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/mappings',
    config: { access: ['read', 'submit', 'review'] },
    schema: {
      tags: ['mappings'],
      summary: 'How the files of sources are read, the newest version of each first',
      querystring: Query,
      response: { 200: pageSchema(MappingBody), ...problemResponses(400, 401, 403, 503) }
    },
    handler: async request => {
      const { limit, cursor, jurisdiction, profile, source, versions } = request.query
      const [atJurisdiction, atProfile, atSource, atVersion] = readCursor('mappings', Place, cursor) ?? []
      const isNext = atJurisdiction !== undefined && atProfile !== undefined && atSource !== undefined
      const rows = await listMappings(deps.pool, {
        jurisdictions: jurisdictionsAsked(request.principal, jurisdiction),
        profile: profile ?? null,
        source: source ?? null,
        onlyCurrent: versions === 'current',
        after: isNext
          ? { jurisdiction: atJurisdiction, profile: atProfile, source: atSource, version: atVersion ?? 0 }
          : null,
        limit: limit + 1
      })
      const page = pageOf(rows, limit, row =>
        writeCursor('mappings', [row.jurisdiction, row.profile, row.source ?? '', row.version])
      )
      return {
        data: page.rows.map(row => presentMapping(row, deps.profiles.get(row.profile))),
        next_cursor: page.nextCursor
      }
    }
  })
}
