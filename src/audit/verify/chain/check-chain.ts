import { hash as digest } from 'node:crypto'
import type { ChainSubject, StoredEntry } from '../../../db/verify/chains.ts'
import { NEUTRAL_TRANSITIONS } from '../../../model/states.ts'
import type { CheckName } from '../checks.ts'
import { ContentCheck, endsInState, factsFault, KeyCheck } from './check-facts.ts'
import { type EntryFacts, parseEntry } from './parse-entry.ts'

/**
 * A worker's stage times are placed by the start of its commit's transaction, the others are the database's own: where
 * the two meet, an order may be off by the time a busy worker takes to see that its transaction has begun.
 */
const TIME_SLACK_MS = 1000

export interface ChainOptions {
  readonly jurisdiction: string
  readonly id: string
  /** Undefined for a chain without a row. */
  readonly subject: ChainSubject | undefined
  readonly report: (check: CheckName, message: string) => void
}

/** Takes a chain's entries one by one and reports what is wrong with them. */
export interface ChainCheck {
  take(stored: StoredEntry): void
  /** To be called after the last entry, also when there was none. */
  end(): void
}

function linkFault(subject: ChainSubject, facts: EntryFacts, before: Buffer | undefined): string | undefined {
  const { previous, seq } = facts
  if (before) return previous === before.toString('hex') ? undefined : `entry ${seq} does not name the one before it`
  if (subject.kind === 'batch') return previous === null ? undefined : 'the first entry of a batch names one before it'
  // Files of one request are received in the very transaction of their batch, whose hash is not known yet.
  if (subject.kind === 'file' && previous === null) return undefined
  const received = subject.receivedHash?.toString('hex')
  return received === undefined || previous === received
    ? undefined
    : "the first entry does not name the batch's first entry"
}

function isInOrder(transitions: EntryFacts['transitions']): boolean {
  const times = transitions.map(([, at]) => Date.parse(at))
  return times.every((at, i) => i === 0 || at + TIME_SLACK_MS >= (times[i - 1] ?? at))
}

function isOfSubject({ jurisdiction, id, subject }: ChainOptions, facts: EntryFacts, seq: number): boolean {
  if (facts.jurisdiction !== jurisdiction || facts.subject !== id || facts.seq !== seq) return false
  if (!subject) return true
  // A later entry of a record that follows another one names the batch in which that one was decided.
  return facts.kind === subject.kind && (seq > 1 || facts.batch === subject.batchId)
}

const isHashed = ({ entry, hash }: StoredEntry): boolean => digest('sha256', entry, 'buffer').equals(hash)

/** Reports the entry whose key is at fault, if one is. */
const keyReporter =
  (report: ChainOptions['report']) =>
  (seq: number | undefined): void => {
    if (seq !== undefined)
      report('entry-facts', `entry ${seq}: the idempotency key in the entry differs from what is stored`)
  }

/** Compares a row with what its chain, which is whole and readable, has told of it. */
function checkRow(
  report: ChainOptions['report'],
  row: ChainSubject,
  told: {
    readonly state: string | undefined
    readonly versions: ReadonlySet<unknown>
    readonly contents: ContentCheck | undefined
  }
): void {
  const { state, versions, contents } = told
  if (!endsInState(row, state)) report('chain-state', `the chain ends ${state}, the ${row.kind} is ${row.state}`)
  const fault = contents?.fault()
  if (fault) report('record-content', fault)
  if (row.version !== null && !versions.has(row.version)) {
    report('version-audited', `no entry tells of version ${row.version}`)
  }
}

/** Begins the check of one subject's chain. */
export function openChain(options: ChainOptions): ChainCheck {
  const { subject, report } = options
  const versions = new Set<unknown>()
  let last: StoredEntry | undefined
  let state: string | undefined
  let isWhole = true
  let isReadable = true

  const record =
    subject?.kind === 'record' ? { keys: new KeyCheck(subject), contents: new ContentCheck(subject) } : undefined
  const reportKey = keyReporter(report)

  const takeFacts = (stored: StoredEntry, facts: EntryFacts, before: Buffer | undefined): void => {
    state = facts.transitions.findLast(([transition]) => !NEUTRAL_TRANSITIONS.has(transition))?.[0] ?? state
    if (!isInOrder(facts.transitions)) report('entry-times', `entry ${stored.seq} goes back in time`)
    if (facts.detail['version'] !== undefined) versions.add(facts.detail['version'])
    if (!subject) return
    const link = isWhole ? linkFault(subject, facts, before) : undefined
    if (link) report('entry-link', link)
    const fault = factsFault(subject, facts)
    if (fault) report('entry-facts', `entry ${stored.seq}: ${fault}`)
    reportKey(record?.keys.take(facts))
    record?.contents.take(facts)
  }

  const checkEnd = (row: ChainSubject): void => {
    if (!last) return report('chain-missing', `the ${row.kind} has no audit entry`)
    if (!isWhole) return
    if (last.seq !== row.auditSeq || !last.hash.equals(row.auditHash)) {
      return report('chain-end', `the chain ends at entry ${last.seq}, the ${row.kind} knows entry ${row.auditSeq}`)
    }
    if (!isReadable) return
    checkRow(report, row, { state, versions, contents: record?.contents })
  }

  return {
    take(stored) {
      const before = last?.hash
      const expected = (last?.seq ?? 0) + 1
      isWhole &&= stored.seq === expected
      if (stored.seq !== expected) report('chain-gap', `entry ${stored.seq} stands where entry ${expected} should`)
      if (subject?.kind === 'batch' && stored.seq === 1 && !subject.receivedHash?.equals(stored.hash)) {
        report('received-hash', "the batch knows another hash than its first entry's")
      }
      if (!isHashed(stored)) report('entry-hash', `entry ${stored.seq} is not what was hashed`)
      const facts = parseEntry(stored.entry)
      const isOwn = facts !== undefined && isOfSubject(options, facts, stored.seq)
      isReadable &&= isOwn
      if (!facts) report('entry-form', `entry ${stored.seq} is not an entry in canonical form`)
      else if (isOwn) takeFacts(stored, facts, before)
      else report('entry-subject', `entry ${stored.seq} was written for another subject, place or batch`)
      last = stored
    },
    end() {
      reportKey(record?.keys.end())
      if (subject) checkEnd(subject)
      else report('chain-stray', 'the audit entries are of no batch, file or record')
    }
  }
}
