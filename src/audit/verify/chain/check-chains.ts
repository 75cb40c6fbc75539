import type { Tx } from '../../../db/pool.ts'
import { type ChainSubject, type StoredEntry, streamEntries, streamSubjects } from '../../../db/verify/chains.ts'
import type { Tally } from '../tally.ts'
import { openChain } from './check-chain.ts'

/** The next of a stream, or undefined at its end. */
async function next<T>(stream: AsyncGenerator<T>): Promise<T | undefined> {
  const { value, done } = await stream.next()
  return done ? undefined : value
}

/** The smaller of the two ids: lower-case UUIDs sort as text as they do in the database. */
function lower(subject: ChainSubject | undefined, entry: StoredEntry | undefined): string | undefined {
  if (!subject || !entry) return subject?.id ?? entry?.subjectId
  return subject.id < entry.subjectId ? subject.id : entry.subjectId
}

/**
 * Checks every chain of a jurisdiction against its row, walking through rows and entries side by side in id order.
 * Answers how many entries there were.
 */
export async function checkChains(tx: Tx, jurisdiction: string, tally: Tally): Promise<number> {
  const subjects = streamSubjects(tx, jurisdiction)
  const entries = streamEntries(tx, jurisdiction)
  let subject = await next(subjects)
  let entry = await next(entries)
  let seen = 0
  for (;;) {
    const id = lower(subject, entry)
    if (id === undefined) return seen
    const own = subject?.id === id ? subject : undefined
    const chain = openChain({
      jurisdiction,
      id,
      subject: own,
      report: (check, message) => tally.add(check, jurisdiction, { subject: id, message })
    })
    while (entry?.subjectId === id) {
      chain.take(entry)
      seen += 1
      entry = await next(entries)
    }
    chain.end()
    if (own) subject = await next(subjects)
  }
}
