import type { Queryable, Tx } from '../pool.ts'

/** What registries answered for a chunk: JSON text and its hex sha-256. */
export interface KeptAnswers {
  readonly text: string
  readonly digest: string
}

/** Keeps what records of a chunk were judged by; the same again changes nothing. */
export async function keepAnswers(
  tx: Tx,
  { jurisdiction, chunkId }: { readonly jurisdiction: string; readonly chunkId: string },
  { text, digest }: KeptAnswers
): Promise<void> {
  await tx.query({
    name: 'keep-registry-answers',
    text: `insert into registry_answers (jurisdiction, chunk_id, digest, answers)
      values ($1, $2, decode($3, 'hex'), convert_to($4, 'UTF8')) on conflict do nothing`,
    values: [jurisdiction, chunkId, digest, text]
  })
}

/** The JSON text with a digest, hex, among those of the chunk of a record; undefined when there is none. */
export async function readAnswers(
  db: Queryable,
  jurisdiction: string,
  recordId: string,
  digest: string
): Promise<string | undefined> {
  const { rows } = await db.query<{ text: string }>(
    `select convert_from(a.answers, 'UTF8') as text from record r
     join registry_answers a on a.jurisdiction = r.jurisdiction and a.chunk_id = r.chunk_id
     where r.jurisdiction = $1 and r.id = $2 and a.digest = decode($3, 'hex')`,
    [jurisdiction, recordId, digest]
  )
  return rows[0]?.text
}
