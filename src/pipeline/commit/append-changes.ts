import { type AuditEntry, type AuditScope, appendEntries } from '../../audit/append-entries.ts'
import type { Tx } from '../../db/pool.ts'
import { moveRecordEnds } from '../../db/review/chain-ends.ts'
import { readCommitments } from '../../db/review/commitments.ts'

/**
 * Adds to the chains of records that have just been changed in this transaction what became of them, each entry with the
 * commitment to what its record is now. The caller holds the records' locks.
 */
export async function appendChanges(tx: Tx, scope: AuditScope, entries: readonly AuditEntry[]): Promise<void> {
  const ids = entries.map(entry => entry.subjectId)
  const contents = await readCommitments(tx, scope.jurisdiction, ids)
  const told = entries.map(entry => ({ ...entry, content: contents.get(entry.subjectId) }))
  await moveRecordEnds(tx, scope.jurisdiction, await appendEntries(tx, scope, told))
}
