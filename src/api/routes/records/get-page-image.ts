import { z } from 'zod'
import { noteDownload } from '../../access/note-download.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import type { Route } from '../../route.ts'
import { findPage, PageParams, PageSizes } from './find-page.ts'

const Query = z.object({
  size: PageSizes.default('medium').meta({ description: 'How wide: 240, 1000 or 2000 pixels; long pages are narrower' })
})

/** Whether a list of tags holds this one; servers in between may have marked it as weak. */
const isNamed = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)

export const getPageImage: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id/pages/:page.png',
    config: { access: ['read', 'review'] },
    schema: {
      tags: ['records'],
      summary: 'Picture of a page of the document of a record, upright',
      params: PageParams,
      querystring: Query,
      response: {
        200: { description: 'The page', content: { 'image/png': { schema: z.string() } } },
        304: z.null().meta({ description: 'The picture is the one that If-None-Match names' }),
        ...problemResponses(400, 401, 403, 404, 409, 410, 422, 503)
      }
    },
    handler: async (request, reply) => {
      const { size } = request.query
      const { record, file, wanted } = await findPage(deps, request.principal, { ...request.params, size })
      const etag = `"${deps.pages.tagOf(file, wanted)}"`
      // Kept by the one who may see it, and asked about each time: a key that has ended shows no page any more.
      reply.header('etag', etag).header('cache-control', 'private, no-cache')
      if (isNamed(request.headers['if-none-match'], etag)) return reply.code(304).send(null)
      const { image, png } = await deps.pages.open(file, wanted)
      try {
        const detail = { file: record.fileId, page: wanted.number, size }
        await noteDownload(deps, request, { kind: 'record', ...record }, { what: 'page', detail })
      } catch (error) {
        png.destroy()
        throw error
      }
      return reply
        .type('image/png')
        .header('content-length', image.bytes)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(png as never)
    }
  })
}
