import { Readable } from 'node:stream'
import { z } from 'zod'
import type { BatchView } from '../../../db/batches.ts'
import { listRecordsOfBatch } from '../../../db/reads/record-pages.ts'
import type { StoredRecord } from '../../../db/reads/record-reads.ts'
import { AppError } from '../../../errors.ts'
import type { Profile } from '../../../profiles/profile.ts'
import { noteDownload } from '../../access/note-download.ts'
import type { Principal } from '../../access/principal.ts'
import type { ApiDeps } from '../../deps.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { bldsTable, fieldTable, type Table, underBldsNames } from '../../present/csv-line.ts'
import { presentRecords } from '../../present/present-record.ts'
import { IdParams, type RecordBody } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findBatch } from './find-batch.ts'

/** Records read in one statement. */
const PAGE = 500

async function* pagesOf(deps: ApiDeps, batch: BatchView): AsyncIterable<StoredRecord[]> {
  let after: { fileNumber: number; item: number } | null = null
  for (;;) {
    const rows: StoredRecord[] = await listRecordsOfBatch(deps.pool, {
      jurisdiction: batch.jurisdiction,
      batchId: batch.id,
      dryRun: batch.dryRun,
      limit: PAGE,
      after,
      state: null,
      row: null,
      line: null,
      file: null,
      reason: null
    })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = { fileNumber: last.fileNumber, item: last.item }
  }
}

type Format = 'ndjson' | 'csv'

const MEDIA_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const

const Query = z.object({
  names: z.enum(['docket', 'blds']).default('docket').meta({
    description: 'blds: permits under the field names of the Building and Land Development Specification'
  })
})

/** How one record is written. Throws `FIELD_INVALID` when its profile has no such names. */
function tableOf(profile: Profile, names: 'docket' | 'blds', format: Format): Table {
  if (names === 'blds' && profile.name !== 'permit') {
    throw new AppError('FIELD_INVALID', 'Only permits have names in BLDS.', { details: { field: 'names' } })
  }
  if (format === 'csv') return names === 'blds' ? bldsTable() : fieldTable(profile)
  const named = names === 'blds' ? underBldsNames : (record: RecordBody) => record
  return { header: '', lineOf: record => `${JSON.stringify(named(record))}\n` }
}

async function* textOf(deps: ApiDeps, batch: BatchView, principal: Principal, table: Table): AsyncIterable<string> {
  if (table.header !== '') yield table.header
  for await (const rows of pagesOf(deps, batch)) {
    const records = await presentRecords(deps, rows, principal)
    yield records.map(table.lineOf).join('')
  }
}

const resultsAs =
  (format: Format): Route =>
  (app, deps) => {
    app.route({
      method: 'GET',
      url: `/v1/batches/:id/results.${format}`,
      config: { access: ['read', 'review'] },
      schema: {
        tags: ['batches'],
        summary:
          format === 'csv' ? 'All records of a batch as a table' : 'All records of a batch, one JSON object a line',
        params: IdParams,
        querystring: Query,
        response: {
          200: { description: 'Records', content: { [MEDIA_TYPES[format]]: { schema: z.string() } } },
          ...problemResponses(400, 401, 403, 404, 409, 422, 503)
        }
      },
      handler: async (request, reply) => {
        const batch = await findBatch(deps, request.params.id, request.principal)
        const profile = deps.profiles.get(batch.profile)
        if (!profile) throw new AppError('PROFILE_UNKNOWN', `The profile ${batch.profile} is not loaded here.`)
        const table = tableOf(profile, request.query.names, format)
        await noteDownload(deps, request, { kind: 'batch', ...batch }, { what: `results.${format}` })
        return reply
          .type(MEDIA_TYPES[format])
          .header('content-disposition', `attachment; filename="results-${batch.id}.${format}"`)
          .header('cache-control', 'no-store')
          .send(Readable.from(textOf(deps, batch, request.principal, table)) as never)
      }
    })
  }

export const ndjsonResults = resultsAs('ndjson')
export const csvResults = resultsAs('csv')
