import type { Pool } from '../../db/pool.ts'
import { getFileFormats, type StoredRecord } from '../../db/reads/record-reads.ts'
import { readErasureTimes } from '../../db/retention/erasures.ts'
import type { Json } from '../../model/json.ts'
import { hasScope, type Principal } from '../access/principal.ts'
import type { ApiDeps } from '../deps.ts'
import type { RecordBody } from './schemas.ts'

type PresentDeps = Pick<ApiDeps, 'fieldsOf'> & { readonly pool: Pool }

/** Decisions from before their time was kept with them bear that of the record's last change. */
function decisionOf(record: StoredRecord, principal: Principal): RecordBody['decision'] {
  if (record.decision === null) return null
  const { action, reason = null, comment = null, at = record.updatedAt.toISOString(), actor } = record.decision
  const who = hasScope(principal, ['review', 'audit']) ? { actor } : {}
  return { action, reason, comment, at, ...who } as RecordBody['decision']
}

function toBody(deps: PresentDeps, record: StoredRecord, format: Json, principal: Principal): RecordBody {
  const extra = record.content?.['extra']
  return {
    id: record.id,
    batch_id: record.batchId,
    jurisdiction: record.jurisdiction,
    file_id: record.fileId,
    filename: record.filename,
    row: record.item === 0 ? null : record.item,
    line: record.line,
    state: record.state,
    duplicate_of: record.duplicateOf,
    replaced_by: record.replacedBy,
    profile: record.profile,
    idempotency_key: record.idempotencyKey,
    natural_key: record.naturalKey?.replaceAll('\u001f', ' ') ?? null,
    version: record.version,
    // A float of four bytes has seven digits; more would only show its rounding.
    confidence: record.confidence === null ? null : Number(record.confidence.toPrecision(6)),
    fields: deps.fieldsOf(record, format) as unknown as RecordBody['fields'],
    extra: typeof extra === 'object' && extra !== null ? (extra as Record<string, unknown>) : {},
    reasons: record.reasons as unknown as RecordBody['reasons'],
    manifest_version: record.manifestVersion,
    revision: record.revision,
    decision: decisionOf(record, principal),
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
    ...(hasScope(principal, ['admin']) && record.diagnostic !== null ? { diagnostic: record.diagnostic } : {})
  }
}

/** Records as answered, with whole envelopes; `diagnostic` for administrators only. */
export async function presentRecords(
  deps: PresentDeps,
  records: readonly StoredRecord[],
  principal: Principal
): Promise<RecordBody[]> {
  if (records.length === 0) return []
  const jurisdictions = [...new Set(records.map(record => record.jurisdiction))]
  const formats = await getFileFormats(deps.pool, jurisdictions, [...new Set(records.map(record => record.fileId))])
  const ids = records.map(record => record.id)
  const erased = await readErasureTimes(deps.pool, jurisdictions, ids)
  return records.map(record => {
    const body = toBody(deps, record, formats.get(record.fileId) ?? null, principal)
    const at = erased.get(record.id)
    // What an empty record would be shown with is not said of one that had values.
    return at === undefined ? body : { ...body, fields: {}, extra: {}, erased_at: at.toISOString() }
  })
}
