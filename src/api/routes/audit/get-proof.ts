import { z } from 'zod'
import { type EntryProof, proveEntries } from '../../../audit/log/prove.ts'
import { listEntriesOfSubject, type StoredEntry } from '../../../db/reads/audit-reads.ts'
import { pageOf, readCursor, writeCursor } from '../../http/cursor.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { CheckpointBody, HashPath, presentCheckpoint, presentPath } from '../../present/checkpoint.ts'
import { IdParams, Paging } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findEvenErased } from '../records/find-record.ts'

const ProvedEntry = z
  .object({
    seq: z.number().int(),
    entry: z.string().meta({ description: 'The very text that was hashed' }),
    hash: z.string().meta({ description: 'SHA-256 of `entry`, in hex; the data of its leaf in the commit' }),
    entry_index: z.number().int(),
    commit_path: HashPath,
    commit: z.object({
      id: z.string(),
      committed_at: z.string().meta({ format: 'date-time' }),
      entries: z.number().int(),
      leaf: z.string().meta({ description: 'Data of its leaf in the log; names the root of its entries' })
    }),
    leaf_index: z.number().int(),
    log_path: HashPath
  })
  .meta({ id: 'ProvedEntry' })

const Body = z.object({
  record_id: z.string(),
  jurisdiction: z.string(),
  checkpoint: CheckpointBody,
  entries: z.array(ProvedEntry),
  next_cursor: z.string().nullable()
})

const Place = z.tuple([z.int32()])

const present = (stored: StoredEntry, proof: EntryProof): z.infer<typeof ProvedEntry> => ({
  seq: stored.seq,
  entry: stored.entry.toString('utf8'),
  hash: stored.hash,
  entry_index: proof.entryIndex,
  commit_path: presentPath(proof.commitPath),
  commit: { id: proof.commitId, committed_at: proof.committedAt, entries: proof.entries, leaf: proof.leaf },
  leaf_index: proof.leafIndex,
  log_path: presentPath(proof.logPath)
})

export const getProof: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id/proof',
    config: { access: ['audit', 'review', 'read'] },
    schema: {
      tags: ['records'],
      summary: 'Proof that the audit entries of a record stand in the log under a signed checkpoint',
      params: IdParams,
      querystring: z.object(Paging),
      response: { 200: Body, ...problemResponses(400, 401, 403, 404, 409, 503) }
    },
    handler: async request => {
      const { limit, cursor } = request.query
      const record = await findEvenErased(deps, request.params.id, request.principal)
      const { id, jurisdiction } = record
      const after = readCursor('proof', Place, cursor)?.[0] ?? 0
      const rows = await listEntriesOfSubject(deps.pool, jurisdiction, id, { after, limit: limit + 1 })
      const page = pageOf(rows, limit, row => writeCursor('proof', [row.seq]))
      const { checkpoint, proofs } = await proveEntries(deps.pool, jurisdiction, page.rows)
      return {
        record_id: id,
        jurisdiction,
        checkpoint: presentCheckpoint(jurisdiction, checkpoint),
        entries: page.rows.map((row, i) => present(row, proofs[i] as EntryProof)),
        next_cursor: page.nextCursor
      }
    }
  })
}
