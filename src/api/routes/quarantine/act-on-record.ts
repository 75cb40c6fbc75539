import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { RecordTarget } from '../../../review/review-deps.ts'
import { actorOf } from '../../access/principal.ts'
import type { ApiDeps } from '../../deps.ts'
import { requireRevision } from '../../http/revision.ts'
import type { RecordBody } from '../../present/schemas.ts'
import { findRecord } from '../records/find-record.ts'
import { bodyOfRecord } from '../records/send-record.ts'

/** A clerk's texts by field name; null says that nothing stands there. */
export const Corrections = z
  .record(z.string().max(63), z.string().max(100_000).nullable())
  .meta({ description: 'Field name → text; dates as YYYY-MM-DD, amounts with a point; null for nothing there' })

/**
 * Acts on the record a request names, at the revision of its If-Match header, and answers the record as it is then.
 * Throws `REVISION_REQUIRED`, `REVISION_STALE` and what the action throws.
 */
export async function actOnRecord(
  deps: ApiDeps,
  request: FastifyRequest & { readonly params: { readonly id: string } },
  reply: FastifyReply,
  act: (target: RecordTarget) => Promise<void>
): Promise<RecordBody> {
  const record = await findRecord(deps, request.params.id, request.principal)
  const revision = requireRevision(request.headers['if-match'], record.revision)
  const actor = actorOf(request.principal)
  await act({ jurisdiction: record.jurisdiction, recordId: record.id, revision, actor })
  const after = await findRecord(deps, record.id, request.principal)
  return bodyOfRecord(deps, after, request.principal, reply)
}
