import { z } from 'zod'
import { listEntriesOfSubject } from '../../../db/reads/audit-reads.ts'
import { auditRoute } from '../audit-route.ts'
import { findEvenErased } from './find-record.ts'

export const getAudit = auditRoute({
  url: '/v1/records/:id/audit',
  tag: 'records',
  summary: 'Audit chain of a record, in order',
  name: 'audit',
  place: z.tuple([z.int32()]),
  placeOf: row => [row.seq],
  load: async (deps, { id, principal }, { after, limit }) => {
    const record = await findEvenErased(deps, id, principal)
    return listEntriesOfSubject(deps.pool, record.jurisdiction, record.id, { after: after?.[0] ?? 0, limit })
  }
})
