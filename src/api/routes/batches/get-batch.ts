import { listFilesOfBatch } from '../../../db/files.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { presentBatch } from '../../present/present-batch.ts'
import { BatchBody, FileBody, IdParams } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findBatch } from './find-batch.ts'

const Body = BatchBody.extend({ files: FileBody.array() })

export const getBatchRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/batches/:id',
    config: { access: ['read', 'submit', 'review'] },
    schema: {
      tags: ['batches'],
      summary: 'State and counts of a batch',
      params: IdParams,
      response: { 200: Body, ...problemResponses(401, 403, 404, 503) }
    },
    handler: async request => {
      const batch = await findBatch(deps, request.params.id, request.principal)
      const files = await listFilesOfBatch(deps.pool, batch.jurisdiction, batch.id)
      return {
        ...presentBatch(batch),
        files: files.map(({ id, filename, mediaType, size, sha256 }) => ({
          id,
          filename,
          size,
          sha256,
          media_type: mediaType
        }))
      }
    }
  })
}
