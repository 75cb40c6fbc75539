import type { FastifyReply } from 'fastify'
import type { StoredRecord } from '../../../db/reads/record-reads.ts'
import type { Principal } from '../../access/principal.ts'
import type { ApiDeps } from '../../deps.ts'
import { etagOf } from '../../http/revision.ts'
import { presentRecords } from '../../present/present-record.ts'
import type { RecordBody } from '../../present/schemas.ts'

/** Sets the headers of a record's answer and gives its body. */
export async function bodyOfRecord(
  deps: ApiDeps,
  record: StoredRecord,
  principal: Principal,
  reply: FastifyReply
): Promise<RecordBody> {
  reply.header('etag', etagOf(record.revision)).header('cache-control', 'no-store')
  const [body] = await presentRecords(deps, [record], principal)
  return body as RecordBody
}
