import type { Tx } from '../pool.ts'

/**
 * What audit entries about these records must commit to: the records as they stand in this transaction. In hex, by record
 * id. Guarantee: `docket verify` computes the same from the same rows.
 */
export async function readCommitments(
  tx: Tx,
  jurisdiction: string,
  recordIds: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await tx.query<{ id: string; content: string }>({
    name: 'read-commitments',
    text: `select id, encode(content, 'hex') as content from record_commitment where jurisdiction = $1 and id = any($2::uuid[])`,
    values: [jurisdiction, recordIds]
  })
  return new Map(rows.map(row => [row.id, row.content]))
}
