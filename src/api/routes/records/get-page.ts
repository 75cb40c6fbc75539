import { z } from 'zod'
import { problemResponses } from '../../http/problem-responses.ts'
import { fieldBoxes } from '../../present/page-boxes.ts'
import type { Route } from '../../route.ts'
import { findPage, PageParams } from './find-page.ts'

const Box = z.tuple([z.number(), z.number(), z.number(), z.number()]).meta({
  description: 'Left, top, right, bottom in points from the top left corner of the page as its picture shows it'
})

const PageBody = z
  .object({
    page: z.number().int(),
    page_count: z.number().int(),
    kind: z.enum(['drawn', 'plain']).meta({
      description:
        'plain: the words of a document without pages of its own, set for reading; not how it looks elsewhere'
    }),
    width: z.number().meta({ description: 'Points' }),
    height: z.number().meta({ description: 'Points' }),
    fields: z
      .array(
        z.object({
          name: z.string(),
          page: z.number().int(),
          box: Box.nullable().meta({ description: 'null for a value on another page' })
        })
      )
      .meta({ description: 'The fields whose values stand in the document' }),
    links: z.object({ image: z.string() })
  })
  .meta({ id: 'Page' })

export const getPage: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id/pages/:page',
    config: { access: ['read', 'review'] },
    schema: {
      tags: ['records'],
      summary: 'A page of the document of a record: its size, and where the values of the record stand on it',
      params: PageParams,
      response: { 200: PageBody, ...problemResponses(400, 401, 403, 404, 410, 422, 503) }
    },
    handler: async (request, reply) => {
      const { record, file, wanted } = await findPage(deps, request.principal, { ...request.params, size: 'medium' })
      const image = await deps.pages.show(file, wanted)
      const { kind, width, height, pageCount } = image
      reply.header('cache-control', 'no-store')
      return {
        page: wanted.number,
        page_count: pageCount,
        kind,
        width,
        height,
        fields: fieldBoxes(deps.fieldsOf(record, null), image, wanted.number),
        links: { image: `/v1/records/${record.id}/pages/${wanted.number}.png` }
      }
    }
  })
}
