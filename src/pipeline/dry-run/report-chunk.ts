import { insertReport, lockDryRun } from '../../db/dry-runs/reports.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { ChunkWork } from '../../db/work/chunks.ts'
import { endStorable, heldUnstorable } from '../commit/commit-storable.ts'
import { type CommitDeps, type CommitOutcome, type CommitWork, endChunk } from '../commit/end-chunk.ts'
import type { JudgedRecord } from '../commit/judged-record.ts'
import { recallDecisions } from '../decided/recall-decisions.ts'
import { settleReport } from './settle-report.ts'

/** NUL or half a character in JSON text, which no column holds. */
const NOT_STORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** A record with a value that the commit would be refused for, as the commit would hold it. */
const storable = (record: JudgedRecord): JudgedRecord =>
  NOT_STORABLE.test(JSON.stringify(record)) ? heldUnstorable(record) : record

/** Whether a chunk belongs to a dry run. */
export const isDryRun = (chunk: Pick<ChunkWork, 'options'>): boolean => chunk.options['dry_run'] === true

/**
 * Ends a chunk of a dry run under the guards of a commit: what would have become of its records is kept as a report, with
 * the counts, and nothing else is written. Throws `CLAIM_LOST` as a commit does.
 */
export const reportChunk = (deps: CommitDeps, work: CommitWork): Promise<CommitOutcome> =>
  endStorable(deps, work, report)

async function report(deps: CommitDeps, work: CommitWork): Promise<CommitOutcome> {
  const { chunk } = work
  return withTransaction(deps.pool, tx =>
    endChunk(tx, deps, work, async () => {
      await lockDryRun(tx, chunk.batchId)
      const identified = work.records.map(record => ({ ...storable(record), id: deps.newId() }))
      const recalled = await recallDecisions(tx, chunk.jurisdiction, identified)
      const records = await settleReport(tx, chunk, recalled)
      await insertReport(tx, { ...chunk, chunkId: chunk.id }, records)
      return { records, codes: null }
    })
  )
}
