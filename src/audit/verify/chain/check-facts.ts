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

/**
 * Compares what the entries of a record committed to with the record and its revisions as they are stored: fields,
 * content, reasons and decisions that were altered in the tables alone differ.
 */
export class ContentCheck {
  private readonly stored: readonly string[] | undefined
  private readonly told: string[] = []
  private isErased = false
  private isWhole = false

  constructor(subject: ChainSubject) {
    this.stored = subject.contents?.map(content => content.toString('hex'))
  }

  take({ seq, content }: EntryFacts): void {
    // Chains begun before there were commitments have them for their later revisions only.
    if (seq === 1) this.isWhole = content !== undefined
    if (content === null) this.isErased = true
    else if (content !== undefined) this.told.push(content)
  }

  /** What is wrong, after the last entry. */
  fault(): string | undefined {
    const { stored, told } = this
    if (this.isErased) return stored ? 'the entries tell of an erasure, and the record is still there' : undefined
    if (told.length === 0) return undefined
    if (!stored) return 'the salt of the commitments is gone, and no entry tells of an erasure'
    const revisions = this.isWhole ? stored : stored.slice(-told.length)
    if (revisions.length !== told.length) {
      return `the entries tell of ${told.length} revisions, and ${revisions.length} are stored`
    }
    const first = revisions.findIndex((content, i) => content !== told[i])
    if (first === -1) return undefined
    const number = stored.length - revisions.length + first + 1
    return `revision ${number} of the record is not what its entry committed to`
  }
}

/** Whether a subject in this state can have a chain that ends so. */
export function endsInState({ kind, state }: ChainSubject, last: string | undefined): boolean {
  if (kind === 'record') return last === state
  const ends = kind === 'batch' ? ['completed', 'cancelled'] : ['cancelled']
  return ends.includes(state) ? last === state : !ends.includes(last ?? '')
}
