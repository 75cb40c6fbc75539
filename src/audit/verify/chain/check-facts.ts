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
  return undefined
}

/**
 * Follows the idempotency key through a record's chain: every entry names the one that is stored. Only what was held unread,
 * or as a refused row, had another before, which the entry that ends that names as its `unread_key`.
 */
export class KeyCheck {
  private readonly stored: string | undefined
  private unread: { readonly seq: number; readonly key: string | null } | undefined

  constructor(subject: ChainSubject) {
    this.stored = subject.digest?.toString('hex')
  }

  /** Takes the next entry; answers the number of one whose key is at fault. */
  take({ seq, idempotencyKey, detail }: EntryFacts): number | undefined {
    if (idempotencyKey === this.stored) {
      const isToldOf = this.unread !== undefined && this.unread.key === detail['unread_key']
      const fault = isToldOf ? undefined : this.unread?.seq
      this.unread = undefined
      return fault
    }
    const before = this.unread
    this.unread ??= { seq, key: idempotencyKey }
    return before && before.key !== idempotencyKey ? seq : undefined
  }

  /** The entry whose key no later one accounts for. */
  end(): number | undefined {
    return this.unread?.seq
  }
}

/** Whether a subject in this state can have a chain that ends so. */
export function endsInState({ kind, state }: ChainSubject, last: string | undefined): boolean {
  if (kind === 'record') return last === state
  const ends = kind === 'batch' ? ['completed', 'cancelled'] : ['cancelled']
  return ends.includes(state) ? last === state : !ends.includes(last ?? '')
}
