import { z } from 'zod'
import { listFilesOfBatch } from '../../../db/files.ts'
import { archiveResult } from '../../../model/archive-progress.ts'
import type { Json } from '../../../model/json.ts'
import { type FileFormat, fromStored } from '../../../pipeline/split/file-format.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { presentBatch } from '../../present/present-batch.ts'
import { FormatBody, presentFormat } from '../../present/present-format.ts'
import { BatchBody, FileBody, IdParams } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findBatch } from './find-batch.ts'

const ReadFile = FileBody.extend({
  columns: z
    .record(z.string(), z.string())
    .nullable()
    .meta({ description: 'Field → heading of the column it is read from; null for a document and before splitting' }),
  format: FormatBody.nullable().meta({
    description: 'How it is read and why; null for a document and before splitting'
  }),
  mapping_version: z.number().int().nullable().meta({
    description:
      "Version of its source's saved mapping that its records were last read with, if it has one; each record's is in its audit entry"
  }),
  archive_id: z.string().nullable().meta({ description: 'The file of this batch that it was taken out of' }),
  archive: z
    .object({
      files: z.number().int().meta({ description: 'Files taken out of it, those in archives within it not counted' }),
      ignored_folders: z.number().int(),
      ignored_system_files: z.number().int().meta({ description: '__MACOSX, .DS_Store, Thumbs.db and the like' })
    })
    .nullable()
    .meta({ description: 'Of a ZIP or gzip file, once all of it was taken out' })
}).meta({ id: 'ReadFile' })

const Body = BatchBody.extend({ files: ReadFile.array() })

/** What is said of how a file is read, by its stored format. */
function readingOf(format: Json) {
  if (format === null) return { columns: null, format: null, mapping_version: null }
  // An archive has a format of its own, without columns.
  const { columns, tabular, evidence, source }: Partial<FileFormat> = fromStored(format)
  return {
    columns: columns ? { ...columns } : null,
    format: tabular && evidence ? presentFormat({ tabular, evidence }) : null,
    mapping_version: source?.version ?? null
  }
}

/** What came of an archive, by its stored format. */
function takenFrom(format: Json) {
  const archive = archiveResult(format)
  if (archive === null) return null
  const { files, folders, system } = archive
  return { files, ignored_folders: folders, ignored_system_files: system }
}

export const getBatchRoute: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/batches/:id',
    config: { access: ['read', 'submit', 'review'] },
    schema: {
      tags: ['batches'],
      summary: 'State and counts of a batch',
      params: IdParams,
      response: { 200: Body, ...problemResponses(400, 401, 403, 404, 503) }
    },
    handler: async request => {
      const batch = await findBatch(deps, request.params.id, request.principal)
      const files = await listFilesOfBatch(deps.pool, batch.jurisdiction, batch.id)
      return {
        ...presentBatch(batch),
        files: files.map(({ id, filename, mediaType, size, sha256, format, archiveId }) => ({
          id,
          filename,
          size,
          sha256,
          media_type: mediaType,
          archive_id: archiveId,
          archive: takenFrom(format),
          ...readingOf(format)
        }))
      }
    }
  })
}
