import type { ChainSubject } from '../../../db/verify/chains.ts'
import type { Json } from '../../../model/json.ts'
import type { EntryFacts } from './parse-entry.ts'

/** Members of a closing entry's detail that together are the batch's records. */
const OUTCOMES = ['accepted', 'duplicate', 'quarantined', 'rejected', 'cancelled'] as const

const disagree = (what: string, told: Json | undefined, held: string | number | null): string | undefined =>
  told === undefined || told === held ? undefined : `${what} in the entry differs from what is stored`

function batchFault(subject: ChainSubject, { seq, detail, transitions }: EntryFacts): string | undefined {
  if (seq === 1) return disagree('the number of files', detail['files'], subject.files)
  if (transitions.at(-1)?.[0] !== 'completed') return undefined
  const told = OUTCOMES.reduce((sum, name) => sum + Number(detail[name] ?? 0), 0)
  return told === subject.amount ? undefined : `closed with ${told} records and has ${subject.amount}`
}

function fileFault(subject: ChainSubject, { seq, detail }: EntryFacts): string | undefined {
  if (seq !== 1) return undefined
  return (
    disagree('the digest', detail['sha256'], subject.digest?.toString('hex') ?? null) ??
    disagree('the size', detail['bytes'], subject.amount)
  )
}

/** What an entry tells of its subject beside its states, compared with the row: digests and counts. Answers a sentence. */
export function factsFault(subject: ChainSubject, facts: EntryFacts): string | undefined {
  if (subject.kind === 'batch') return batchFault(subject, facts)
  if (subject.kind === 'file') return fileFault(subject, facts)
  return facts.idempotencyKey === subject.digest?.toString('hex')
    ? undefined
    : 'the idempotency key in the entry differs from what is stored'
}

/** Whether a subject in this state can have a chain that ends so. */
export function endsInState({ kind, state }: ChainSubject, last: string | undefined): boolean {
  if (kind === 'record') return last === state
  const ends = kind === 'batch' ? ['completed', 'cancelled'] : ['cancelled']
  return ends.includes(state) ? last === state : !ends.includes(last ?? '')
}
