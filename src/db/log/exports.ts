import type { Tx } from '../pool.ts'

/** Notes an export; its audit entry is written in the same transaction. */
export async function insertExport(
  tx: Tx,
  row: { readonly jurisdiction: string; readonly id: string; readonly actor: string; readonly hash: Buffer }
): Promise<void> {
  await tx.query(
    'insert into audit_export (jurisdiction, id, actor, audit_seq, audit_hash) values ($1, $2, $3, 1, $4)',
    [row.jurisdiction, row.id, row.actor, row.hash]
  )
}
