import {
  type ClassedField,
  fieldsRoot,
  releaseFields,
  UNKNOWN_CLASS
} from '../../../../audit/public-export/commitments.ts'
import type { ReleasedRecord } from '../../../../audit/public-export/write-public-export.ts'
import { listPublicBatches, type PublicScope, readSalts } from '../../../../db/log/public-exports.ts'
import type { Tx } from '../../../../db/pool.ts'
import { listRecordsOfBatch } from '../../../../db/reads/record-pages.ts'
import { getFileFormats, type StoredRecord } from '../../../../db/reads/record-reads.ts'
import type { Json } from '../../../../model/json.ts'
import type { ApiDeps } from '../../../deps.ts'

const BATCHES = 100
const RECORDS = 500

/** The fields of a record with their classes; columns that fit no field are one of no class. */
export function classedFields(
  { profiles, fieldsOf }: Pick<ApiDeps, 'profiles' | 'fieldsOf'>,
  record: StoredRecord,
  format: Json
): Record<string, ClassedField> {
  const specs = profiles.get(record.profile)?.fields ?? {}
  const fields = Object.entries(fieldsOf(record, format))
  const extra = record.content?.['extra']
  return {
    ...Object.fromEntries(
      fields.map(([name, { value }]) => [name, { class: specs[name]?.pii ?? UNKNOWN_CLASS, value }])
    ),
    ...(extra === undefined ? {} : { extra: { class: UNKNOWN_CLASS, value: extra } })
  }
}

async function* pagesOf(tx: Tx, jurisdiction: string, batchId: string): AsyncGenerator<StoredRecord[]> {
  let after: { fileNumber: number; item: number } | null = null
  for (;;) {
    const nothing = { state: null, row: null, line: null, file: null, reason: null }
    const page: StoredRecord[] = await listRecordsOfBatch(tx, {
      ...nothing,
      jurisdiction,
      batchId,
      dryRun: false,
      limit: RECORDS,
      after
    })
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (!last || page.length < RECORDS) return
    after = { fileNumber: last.fileNumber, item: last.item }
  }
}

/** A record with what it is released by. */
interface Stored {
  readonly record: StoredRecord
  readonly format: Json
  readonly salt: string | undefined
}

/** Without a salt nothing can be committed to: it was erased, or it is older than salts. */
const keptOf = ({ fields, content }: StoredRecord): 'erased' | 'unsalted' =>
  Object.keys(fields).length + Object.keys(content ?? {}).length > 0 ? 'unsalted' : 'erased'

function release(
  deps: Pick<ApiDeps, 'profiles' | 'fieldsOf'>,
  { record, format, salt }: Stored,
  { exportId, shown }: { readonly exportId: string; readonly shown: ReadonlySet<string> }
): ReleasedRecord {
  const of = { exportId, recordId: record.id }
  const fields = salt === undefined ? {} : releaseFields(classedFields(deps, record, format), { ...of, salt }, shown)
  return {
    id: record.id,
    batch: record.batchId,
    profile: record.profile,
    file: record.fileNumber,
    row: record.item === 0 ? null : record.item,
    state: record.state,
    codes: record.reasons.map(reason => reason.code),
    fields,
    root: salt === undefined ? null : fieldsRoot(fields, of),
    kept: salt === undefined ? keptOf(record) : 'whole'
  }
}

/** The records of a scope as they are released to somebody who may see fields of these classes, page by page. */
export async function* releasedRecords(
  deps: Pick<ApiDeps, 'profiles' | 'fieldsOf'>,
  tx: Tx,
  scope: PublicScope & { readonly exportId: string; readonly shown: ReadonlySet<string> }
): AsyncGenerator<ReleasedRecord[]> {
  const { jurisdiction, exportId, shown } = scope
  let after: string | null = null
  for (;;) {
    const batches: { id: string }[] = await listPublicBatches(tx, scope, { after, limit: BATCHES })
    for (const { id: batchId } of batches) {
      for await (const page of pagesOf(tx, jurisdiction, batchId)) {
        const ids = page.map(record => record.id)
        const salts = await readSalts(tx, jurisdiction, ids)
        const files = [...new Set(page.map(record => record.fileId))]
        const formats = await getFileFormats(tx, [jurisdiction], files)
        yield page.map(record => {
          const format = formats.get(record.fileId) ?? null
          return release(deps, { record, format, salt: salts.get(record.id) }, { exportId, shown })
        })
      }
    }
    after = batches.at(-1)?.id ?? null
    if (batches.length < BATCHES) return
  }
}
