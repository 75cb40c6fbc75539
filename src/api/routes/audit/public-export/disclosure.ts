import { z } from 'zod'
import { fieldSalt } from '../../../../audit/public-export/commitments.ts'
import { readPublicExport, readSalts } from '../../../../db/log/public-exports.ts'
import { getFileFormats } from '../../../../db/reads/record-reads.ts'
import { AppError } from '../../../../errors.ts'
import { noteDownload } from '../../../access/note-download.ts'
import { problemResponses } from '../../../http/problem-responses.ts'
import { IdParams } from '../../../present/schemas.ts'
import type { Route } from '../../../route.ts'
import { findRecord } from '../../records/find-record.ts'
import { classedFields } from './released-records.ts'

const Body = z.object({
  export: z.string(),
  record: z.string(),
  field: z.string(),
  value: z.unknown(),
  salt: z.string().meta({ description: 'With it the value is checked against its commitment in the export' })
})

export const disclosureRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id/disclosure',
    config: { access: ['read', 'review'] },
    schema: {
      tags: ['audit'],
      summary: 'One field that a public export withheld, with what shows that it is the one',
      params: IdParams,
      querystring: z.object({
        export: z.uuid().optional().meta({ description: 'Needed' }),
        field: z.string().max(63).optional().meta({ description: 'Needed: its name, or extra' })
      }),
      response: { 200: Body, ...problemResponses(400, 401, 403, 404, 409, 410, 422, 503) }
    },
    handler: async (request, reply) => {
      const { export: exportId, field } = request.query
      const record = await findRecord(deps, request.params.id, request.principal)
      const { id, jurisdiction, fileId } = record
      if (exportId === undefined || field === undefined) {
        throw new AppError('FIELD_INVALID', 'Say which export and which field.', { details: { field: 'export' } })
      }
      const salt = (await readSalts(deps.pool, jurisdiction, [id])).get(id)
      const formats = await getFileFormats(deps.pool, [jurisdiction], [fileId])
      const found = classedFields(deps, record, formats.get(fileId) ?? null)[field]
      if (!(await readPublicExport(deps.pool, jurisdiction, exportId)) || !found || salt === undefined) {
        throw new AppError('NOT_FOUND', 'There is no such export of this jurisdiction, or no such field of the record.')
      }
      const detail = { export: exportId, field }
      await noteDownload(deps, request, { kind: 'record', jurisdiction, id }, { what: 'disclosure', detail })
      reply.header('cache-control', 'no-store')
      return { export: exportId, record: id, field, value: found.value, salt: fieldSalt(salt, { exportId, field }) }
    }
  })
}
