import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { newId } from '../src/model/ids.ts'
import type { FinalRow } from './copy-limit.ts'

/** So many accepted rows as they ended, with ids and keys that are new for each round, so that they can be written again. */
export async function finalRows(url: string, count: number, round = 0): Promise<FinalRow[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ natural_key: string; content: string }>(
    `select natural_key, content::text as content from canonical_record
     where natural_key not like 'again-%' order by natural_key limit $1`,
    [count]
  )
  await client.end()
  const batchId = newId()
  return rows.map((row, i) => ({
    naturalKey: `again-${round}-${row.natural_key}`,
    idempotencyKey: createHash('sha256').update(`again ${round} ${row.natural_key}`).digest(),
    recordId: newId(),
    batchId,
    item: i + 1,
    content: row.content
  }))
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
