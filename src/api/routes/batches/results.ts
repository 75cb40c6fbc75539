import { Readable } from 'node:stream'
import { z } from 'zod'
import type { BatchView } from '../../../db/batches.ts'
import { listRecordsOfBatch } from '../../../db/reads/record-pages.ts'
import type { StoredRecord } from '../../../db/reads/record-reads.ts'
import { noteDownload } from '../../access/note-download.ts'
import type { Principal } from '../../access/principal.ts'
import type { ApiDeps } from '../../deps.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { csvHeader, csvLine } from '../../present/csv-line.ts'
import { presentRecords } from '../../present/present-record.ts'
import { IdParams } from '../../present/schemas.ts'
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

async function* textOf(deps: ApiDeps, batch: BatchView, principal: Principal, format: Format): AsyncIterable<string> {
  const profile = deps.profiles.get(batch.profile)
  if (format === 'csv' && profile) yield csvHeader(profile)
  for await (const rows of pagesOf(deps, batch)) {
    const records = await presentRecords(deps, rows, principal)
    if (format === 'ndjson') yield `${records.map(record => JSON.stringify(record)).join('\n')}\n`
    else if (profile) yield records.map(record => csvLine(profile, record)).join('')
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
        response: {
          200: { description: 'Records', content: { [MEDIA_TYPES[format]]: { schema: z.string() } } },
          ...problemResponses(401, 403, 404, 503)
        }
      },
      handler: async (request, reply) => {
        const batch = await findBatch(deps, request.params.id, request.principal)
        await noteDownload(deps, request, { kind: 'batch', ...batch }, { what: `results.${format}` })
        return reply
          .type(MEDIA_TYPES[format])
          .header('content-disposition', `attachment; filename="results-${batch.id}.${format}"`)
          .header('cache-control', 'no-store')
          .send(Readable.from(textOf(deps, batch, request.principal, format)) as never)
      }
    })
  }

export const ndjsonResults = resultsAs('ndjson')
export const csvResults = resultsAs('csv')
