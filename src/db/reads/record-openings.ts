import type { Queryable } from '../pool.ts'

/** What a commitment was made of, for somebody who is to compare it. */
export interface RecordOpening {
  readonly revision: number
  /** Hex. */
  readonly salt: string
  readonly text: string
  /** Hex: SHA-256 of salt and text. */
  readonly content: string
}

/** Salt and text of the newest commitment about a record; undefined when there is none. */
export async function readOpening(
  db: Queryable,
  jurisdiction: string,
  recordId: string
): Promise<RecordOpening | undefined> {
  const { rows } = await db.query<RecordOpening>(
    `select revision, encode(salt, 'hex') as salt, told as text, encode(content, 'hex') as content
     from record_commitment where jurisdiction = $1 and id = $2 and salt is not null`,
    [jurisdiction, recordId]
  )
  return rows[0]
}
