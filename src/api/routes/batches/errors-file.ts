import { Readable } from 'node:stream'
import { z } from 'zod'
import { type HeldFile, listHeldFiles } from '../../../db/review/held-rows.ts'
import { AppError } from '../../../errors.ts'
import { errorsFile } from '../../../pipeline/corrections/outgoing/errors-file.ts'
import { noteDownload } from '../../access/note-download.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { IdParams } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findBatch } from './find-batch.ts'

const Query = z.object({
  file: z.string().max(255).optional().meta({
    description: 'Name or id of a file of the batch; needed when several data files hold records'
  })
})

/** The files that one table can tell of: one data file, or all others together. Throws `FIELD_INVALID` when unclear. */
function tableOf(files: readonly HeldFile[], asked: string | undefined): readonly HeldFile[] {
  if (asked !== undefined) {
    const named = files.filter(file => file.id === asked || file.filename === asked)
    const isOne = named.length === 1 || !named.some(file => file.hasRows)
    if (named.length > 0 && isOne) return named
    if (named.length > 0) throw new AppError('FIELD_INVALID', 'Several files have this name. Give the id of one.')
    throw new AppError('NOT_FOUND', 'No file of this name or id in the batch has held records.')
  }
  if (files.length <= 1 || !files.some(file => file.hasRows)) return files
  throw new AppError(
    'FIELD_INVALID',
    'Several files of the batch have held records. Name one in the parameter "file".',
    {
      details: { files: files.slice(0, 20).map(file => file.filename) }
    }
  )
}

export const errorsFileRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/errors.csv',
    config: { access: ['read', 'review'] },
    schema: {
      tags: ['batches'],
      summary: 'Held records as a file to mend and send again',
      description:
        'The columns and texts of the source, in its encoding and dialect, with `_record_id`, `_line`, `_codes` and `_messages`. Sent to `POST /v1/batches`, each row that was changed settles the record it names; rows left alone stay held. A cell that begins like a formula has an apostrophe before it, which is taken away again when the file comes back.',
      params: IdParams,
      querystring: Query,
      response: {
        200: { description: 'Held records', content: { 'text/csv': { schema: z.string() } } },
        ...problemResponses(400, 401, 403, 404, 409, 422, 503)
      }
    },
    handler: async (request, reply) => {
      const batch = await findBatch(deps, request.params.id, request.principal)
      const { jurisdiction, id, profile: name } = batch
      const profile = deps.profiles.get(name)
      if (!profile) throw new AppError('PROFILE_UNKNOWN', `The profile ${name} is not loaded here.`)
      const files = tableOf(await listHeldFiles(deps.pool, jurisdiction, id), request.query.file)
      await noteDownload(deps, request, { kind: 'batch', ...batch }, { what: 'errors.csv' })
      return reply
        .type('text/csv')
        .header('content-disposition', `attachment; filename="errors-${id}.csv"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(errorsFile(deps, { jurisdiction, batchId: id, profile, files })) as never)
    }
  })
}
