import { z } from 'zod'
import { listEntriesOfBatch } from '../../../db/reads/audit-reads.ts'
import { auditRoute } from '../audit-route.ts'
import { findBatch } from './find-batch.ts'

export const getBatchAudit = auditRoute<[string, number]>({
  url: '/v1/batches/:id/audit',
  tag: 'batches',
  summary: 'Audit chains of a batch and of its files: who sent, cancelled and downloaded it',
  name: 'batch-audit',
  place: z.tuple([z.uuid(), z.int32()]),
  placeOf: row => [row.subjectId, row.seq],
  load: async (deps, { id, principal }, { after, limit }) => {
    const batch = await findBatch(deps, id, principal)
    const place = after ? { subjectId: after[0], seq: after[1] } : null
    return listEntriesOfBatch(deps.pool, batch.jurisdiction, batch.id, { after: place, limit })
  }
})
