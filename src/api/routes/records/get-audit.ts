import { z } from 'zod'
import { listEntriesOfSubject, type StoredEntry } from '../../../db/reads/record-reads.ts'
import { AppError } from '../../../errors.ts'
import { pageOf, readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { IdParams, Paging, pageSchema } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findRecord } from './find-record.ts'

/** The form of an entry's stored text. */
const StoredText = z.object({
  actor: z.string(),
  batch: z.string(),
  commit: z.string(),
  detail: z.record(z.string(), z.unknown()).default({}),
  idempotency_key: z.string().nullable().default(null),
  manifest: z.string(),
  previous: z.string().nullable(),
  reasons: z.array(z.string()),
  transitions: z.array(z.tuple([z.string(), z.string()]))
})

const Entry = z.object({
  seq: z.number().int(),
  actor: z.string(),
  batch_id: z.string(),
  commit_id: z.string(),
  manifest_version: z.string(),
  idempotency_key: z.string().nullable(),
  reasons: z.array(z.string()),
  detail: z.record(z.string(), z.unknown()),
  transitions: z.array(z.object({ transition: z.string(), at: z.string() })),
  previous: z.string().nullable(),
  hash: z.string(),
  entry: z.string().meta({ description: 'The very text whose sha-256 is `hash`' })
})

const Place = z.tuple([z.int32()])

function toBody(stored: StoredEntry): z.infer<typeof Entry> {
  const entry = stored.entry.toString('utf8')
  const parsed = StoredText.safeParse(JSON.parse(entry))
  if (!parsed.success) throw new AppError('INTERNAL', 'An audit entry is not in its form.')
  const { actor, batch, commit, detail, manifest, previous, reasons, transitions } = parsed.data
  return {
    seq: stored.seq,
    actor,
    batch_id: batch,
    commit_id: commit,
    manifest_version: manifest,
    idempotency_key: parsed.data.idempotency_key,
    reasons,
    detail,
    previous,
    hash: stored.hash,
    entry,
    transitions: transitions.map(([transition, at]) => ({ transition, at }))
  }
}

export const getAudit: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id/audit',
    config: { access: ['audit', 'review'] },
    schema: {
      tags: ['records'],
      summary: 'Audit chain of a record, in order',
      params: IdParams,
      querystring: z.object(Paging),
      response: { 200: pageSchema(Entry), ...problemResponses(400, 401, 403, 404, 503) }
    },
    handler: async request => {
      const record = await findRecord(deps, request.params.id, request.principal)
      const { limit, cursor } = request.query
      const after = readCursor('audit', Place, cursor)?.[0] ?? 0
      const rows = await listEntriesOfSubject(deps.pool, record.jurisdiction, record.id, { after, limit: limit + 1 })
      const page = pageOf(rows, limit, row => writeCursor('audit', [row.seq]))
      return { data: page.rows.map(toBody), next_cursor: page.nextCursor }
    }
  })
}
