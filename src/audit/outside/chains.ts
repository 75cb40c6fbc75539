import type { EntryFacts } from '../verify/chain/parse-entry.ts'
import { SubjectTable } from './subject-table.ts'

/** An entry that was read, with the hash of its bytes. */
export interface ReadEntry {
  readonly facts: EntryFacts
  readonly hash: Buffer
}

type Report = (check: string, place: string, message: string) => void

const NONE = Buffer.alloc(32)
const placeOf = ({ subject, seq }: EntryFacts): string => `entry ${subject}/${seq}`

/** What an entry says its subject's content is; undefined when it says nothing of it. */
function fingerprintOf({ kind, idempotencyKey, detail, seq }: EntryFacts): Buffer | undefined {
  const told = kind === 'record' ? idempotencyKey : kind === 'file' && seq === 1 ? detail['sha256'] : undefined
  const bytes = Buffer.from(typeof told === 'string' ? told : '', 'hex')
  return bytes.length === NONE.length ? bytes : undefined
}

/**
 * Follows the chains of all subjects while entries come in the order of the log. A transaction that ended late may have
 * brought an entry before the one that it follows: such entries wait.
 */
export class Chains {
  private readonly table = new SubjectTable()
  private readonly waiting = new Map<string, Map<number, ReadEntry>>()
  /** First hashes of batches, and what records said of batches not seen yet, with the first that said it. */
  private readonly batches = new Map<string, string>()
  private readonly claims = new Map<string, string>()
  /** What later entries of files say that became of their payloads: another digest, or null for one that was removed. */
  private readonly payloads = new Map<string, string | null>()
  private readonly report: Report

  constructor(report: Report) {
    this.report = report
  }

  take(entry: ReadEntry): void {
    const { subject, seq } = entry.facts
    const last = this.table.get(subject)?.seq ?? 0
    if (seq <= last) return this.report('chain-fork', placeOf(entry.facts), `the chain has entry ${seq} already`)
    if (seq > last + 1) {
      const others = this.waiting.get(subject) ?? new Map<number, ReadEntry>()
      if (others.has(seq)) this.report('chain-fork', placeOf(entry.facts), `the chain has entry ${seq} already`)
      this.waiting.set(subject, others.set(seq, entry))
      return
    }
    this.follow(entry)
    const others = this.waiting.get(subject)
    const next = others?.get(seq + 1)
    if (!others || !next) return
    others.delete(seq + 1)
    if (others.size === 0) this.waiting.delete(subject)
    this.take(next)
  }

  /** Compares what a row knows of its chain; `fingerprint` is its key or digest. */
  takeSubject(row: { id: string; kind: string; seq: number; hash: string; fingerprint: string | undefined }): void {
    const place = `${row.kind} ${row.id}`
    const end = this.table.get(row.id)
    if (!end) return this.report('chain-missing', place, 'there is no entry of it')
    if (end.seq !== row.seq || end.hash.toString('hex') !== row.hash) {
      this.report('chain-end', place, `its chain ends at entry ${end.seq}, its row knows entry ${row.seq}`)
    }
    if (row.fingerprint !== undefined && end.fingerprint.toString('hex') !== row.fingerprint) {
      this.report('content-digest', place, 'its content has another digest than its entries say')
    }
    this.table.mark(row.id)
  }

  /** The digest that the payload of a file must have; null when it must be gone. */
  payloadOf(id: string, received: string | undefined): string | null | undefined {
    const changed = this.payloads.get(id)
    return changed === undefined ? received : changed
  }

  /** To be called when everything was taken. */
  end(): void {
    for (const [subject, entries] of this.waiting) {
      const seq = Math.min(...entries.keys())
      this.report('chain-gap', `entry ${subject}/${seq}`, `the chain lacks entry ${seq - 1}`)
    }
    for (const [claim, place] of this.claims) {
      const [batch = '', hash] = claim.split(' ')
      if (this.batches.get(batch) !== hash) this.report('entry-link', place, "does not name its batch's first entry")
    }
    const { first, count } = this.table.unmarked()
    if (first !== undefined)
      this.report('chain-stray', `subject ${first}`, `${count} chains are of no batch, file or record`)
  }

  private follow({ facts, hash }: ReadEntry): void {
    const { subject, seq, kind, previous } = facts
    const before = this.table.get(subject)
    if (before && previous !== before.hash.toString('hex')) {
      this.report('entry-link', placeOf(facts), 'does not name the entry before it')
    }
    if (!before) this.begin(facts)
    const fingerprint = fingerprintOf(facts) ?? before?.fingerprint ?? NONE
    this.table.set(subject, { seq, hash, fingerprint: Buffer.from(fingerprint) })
    const { payload } = facts.detail
    if (kind === 'file' && (typeof payload === 'string' || payload === null)) this.payloads.set(subject, payload)
    if (kind === 'batch' && seq === 1) this.batches.set(subject, hash.toString('hex'))
  }

  private begin(facts: EntryFacts): void {
    const { kind, previous, batch } = facts
    if (kind === 'batch' || kind === 'export') {
      if (previous !== null) this.report('entry-link', placeOf(facts), 'a first entry names one before it')
      return
    }
    if (kind === 'file' && previous === null) return
    const claim = `${batch} ${previous}`
    if (!this.claims.has(claim)) this.claims.set(claim, placeOf(facts))
  }
}
