import { z } from 'zod'
import { noteDownload } from '../../access/note-download.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { IdParams } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findPayload } from './find-payload.ts'
import { findRecord } from './find-record.ts'

/** A stored name in a header: plain characters in `filename`, all of it percent-encoded in `filename*` (RFC 6266). */
function dispositionOf(filename: string): string {
  const plain = filename.replace(/[^\w .-]/g, '_')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

export const getPayload: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id/payload',
    config: { access: ['read', 'review'] },
    schema: {
      tags: ['records'],
      summary: 'The file of a record, byte for byte as received',
      params: IdParams,
      response: {
        200: { description: 'The file', content: { 'application/octet-stream': { schema: z.string() } } },
        ...problemResponses(400, 401, 403, 404, 409, 410, 503)
      }
    },
    handler: async (request, reply) => {
      const record = await findRecord(deps, request.params.id, request.principal)
      const payload = await findPayload(deps, record)
      const stream = await deps.store.open(payload.payloadUri)
      try {
        const detail = { file: record.fileId }
        await noteDownload(deps, request, { kind: 'record', ...record }, { what: 'payload', detail })
      } catch (error) {
        stream.destroy()
        throw error
      }
      // Never the declared type: a browser must not run what somebody uploaded.
      return reply
        .type('application/octet-stream')
        .header('content-disposition', dispositionOf(payload.filename))
        .header('content-length', payload.size)
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'no-store')
        .send(stream as never)
    }
  })
}
