import type { QueryResultRow } from 'pg'
import type { Pool, Tx } from '../pool.ts'
import { withTransaction } from '../transaction.ts'

/** Rows per fetch: at about 700 bytes an audit entry some 1.5 MB, whatever the table's size. */
const PAGE = 2000
/** One fetch may first have to sort a whole jurisdiction: 55 s are enough for a request, not for that. */
const LIMIT_MS = 600_000

let opened = 0

/**
 * Runs `work` on one unchanging view of the database, without writing: what is committed meanwhile is not seen, so a
 * running deployment can be verified.
 */
export async function withSnapshot<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withTransaction(pool, async tx => {
    await tx.query('set transaction isolation level repeatable read, read only')
    await tx.query(
      `select set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true),
         set_config('cursor_tuple_fraction', '1', true)`,
      [`${LIMIT_MS}ms`]
    )
    return work(tx)
  })
}

/** The rows of one statement through a cursor of the server: memory stays that of two pages. */
export async function* streamRows<R extends QueryResultRow>(
  tx: Tx,
  statement: string,
  values: readonly unknown[]
): AsyncGenerator<R> {
  opened += 1
  const name = `verify_${opened}`
  const run = (text: string, params: readonly unknown[] = []) =>
    tx.query<R>({ text, values: [...params], query_timeout: LIMIT_MS } as never)
  await run(`declare ${name} no scroll cursor for ${statement}`, values)
  const fetch = () => {
    const coming = run(`fetch ${PAGE} from ${name}`)
    // It is awaited below, unless the reader has stopped meanwhile: then nobody is left to hear of a failure.
    coming.catch(() => undefined)
    return coming
  }
  let coming = fetch()
  for (;;) {
    const { rows } = await coming
    const isLast = rows.length < PAGE
    // The server looks for the next page while this one is worked on.
    if (!isLast) coming = fetch()
    for (const row of rows) yield row
    if (isLast) break
  }
  await run(`close ${name}`)
}

/** What a check found: the id of the row at fault and a sentence of ids and counts, never of submitted values. */
export interface Finding {
  readonly subject: string
  readonly message: string
}

/** One check as a statement: the offending rows of a jurisdiction, as they are found. */
export type FindOffenders = (tx: Tx, jurisdiction: string) => AsyncIterable<Finding>

/** A check from its statement: `$1` is the jurisdiction, the columns are `subject` and `message`. Oldest subject first. */
export const finder =
  (statement: string): FindOffenders =>
  (tx, jurisdiction) =>
    streamRows<Finding>(tx, `${statement} order by 1`, [jurisdiction])
