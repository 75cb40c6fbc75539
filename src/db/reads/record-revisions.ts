import type { Queryable } from '../pool.ts'
import type { StoredRecord } from './record-reads.ts'

/** What a record was until it was changed. */
export type StoredRevision = Pick<
  StoredRecord,
  'revision' | 'state' | 'manifestVersion' | 'confidence' | 'reasons' | 'fields' | 'content' | 'decision'
> & { readonly replacedAt: Date }

/** What a record was before each change, the first first; what it is now stands in the record itself. */
export async function listRevisionsOfRecord(
  db: Queryable,
  jurisdiction: string,
  recordId: string,
  page: { readonly after: number; readonly limit: number }
): Promise<StoredRevision[]> {
  const { rows } = await db.query<StoredRevision>(
    `select v.revision, v.state, m.version as "manifestVersion", v.confidence, v.reasons, v.fields, v.content, v.decision,
       v.replaced_at as "replacedAt"
     from record_revision v join manifest m on m.number = v.manifest
     where v.jurisdiction = $1 and v.record_id = $2 and v.revision > $3 order by v.revision limit $4`,
    [jurisdiction, recordId, page.after, page.limit]
  )
  return rows
}
