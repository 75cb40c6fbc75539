import type { Json } from '../../../model/json.ts'
import type { Members } from '../../outside/read-lines.ts'
import { fateOf } from '../fate.ts'
import type { ReceiptHeader, Subject } from '../form.ts'
import { checkCommit, type Log, type ProvedEntry, type Report } from './check-commits.ts'

/** What the sections before have shown of the batch. */
export interface BatchFacts {
  /** Hash of the batch's first entry, in hex; undefined until the section of the batch was read. */
  received: string | undefined
  /** Detail of the entry that ended the batch. */
  ended: { readonly [name: string]: Json } | undefined
  /** Files as they were sent, by the batch's first entry. */
  files: Json | undefined
}

export interface SectionCheck {
  readonly log: Log
  readonly batch: ReceiptHeader['batch']
  readonly facts: BatchFacts
  readonly report: Report
}

const placeOf = ({ kind, id }: Subject): string => `${kind} ${id}`
const at = (entry: ProvedEntry | undefined, name: string): string | undefined =>
  entry?.facts.transitions.find(([transition]) => transition === name)?.[1]

/** Whether a chain goes on from its first entry without a gap, each naming the one before. */
function isChain({ facts }: SectionCheck, subject: Subject, chain: readonly ProvedEntry[]): boolean {
  return chain.every(({ facts: told }, i) => {
    const before = chain[i - 1]?.hash.toString('hex')
    // Without the batch's own section, which is told of once, nothing is known of its first entry.
    const first = subject.kind === 'batch' ? null : (facts.received ?? told.previous)
    const isLinked = told.previous === (before ?? first) || (i === 0 && subject.kind === 'file' && !told.previous)
    return told.seq === i + 1 && told.kind === subject.kind && isLinked
  })
}

function checkBatch(check: SectionCheck, chain: readonly ProvedEntry[]): void {
  const { batch, facts, report } = check
  const [first] = chain
  const detail = first?.facts.detail ?? {}
  facts.received = first?.hash.toString('hex')
  facts.files = detail['files']
  const end = chain.find(one => at(one, batch.state) !== undefined)
  facts.ended = end?.facts.detail
  const place = `batch ${batch.id}`
  const actor = (first?.told as { readonly actor?: unknown } | undefined)?.actor
  if (actor !== batch.submitter) report('batch-facts', place, 'its submitter is not who its first entry names')
  if (detail['profile'] !== batch.profile || detail['digest'] !== batch.digest) {
    report('batch-facts', place, 'its profile or digest is not that of its first entry')
  }
  if (at(first, 'received') !== batch.received_at) report('batch-facts', place, 'was received at another time')
  if (at(end, batch.state) !== batch.finished_at) report('batch-facts', place, 'ended otherwise, or at another time')
}

function checkFile(check: SectionCheck, subject: Subject & { kind: 'file' }, chain: readonly ProvedEntry[]): void {
  const detail = chain[0]?.facts.detail ?? {}
  const isOwn =
    detail['sha256'] === subject.sha256 &&
    detail['bytes'] === subject.size &&
    (detail['archive'] ?? null) === subject.archive_id
  if (!isOwn) check.report('file-facts', placeOf(subject), 'its digest, size or archive is not that of its entry')
}

function checkRecord(check: SectionCheck, subject: Subject & { kind: 'record' }, chain: readonly ProvedEntry[]): void {
  const fate = fateOf(chain.map(one => one.told))
  const same =
    fate.state === subject.state &&
    JSON.stringify(fate.codes) === JSON.stringify(subject.codes) &&
    fate.key === subject.key &&
    fate.follows === subject.follows &&
    fate.replacedBy === subject.replaced_by &&
    fate.erasedAt === subject.erased_at &&
    (fate.duplicateOf ?? subject.duplicate_of) === subject.duplicate_of
  if (!same) check.report('record-fate', placeOf(subject), 'its entries tell of another fate')
}

/** Checks a section: its commits, the chains of its subjects, and what it says of them. Answers the subjects. */
export function checkSection(check: SectionCheck, section: Members, place: string): Subject[] {
  const { log, report } = check
  const { subjects, commits } = section
  if (!Array.isArray(subjects) || !Array.isArray(commits) || subjects.length === 0) {
    report('receipt-form', place, 'is no section')
    return []
  }
  const own = subjects as unknown as Subject[]
  const entries = (commits as Members[]).flatMap(commit => checkCommit(commit, log, report))
  const chains = Map.groupBy(entries, one => one.facts.subject)
  for (const subject of own) {
    const chain = (chains.get(subject.id) ?? []).toSorted((a, b) => a.facts.seq - b.facts.seq)
    chains.delete(subject.id)
    if (chain.length === 0) report('chain-missing', placeOf(subject), 'no entry of it is shown')
    if (chain.length === 0) continue
    if (subject.kind === 'batch') checkBatch(check, chain)
    if (!isChain(check, subject, chain)) report('entry-link', placeOf(subject), 'its entries are not a chain')
    if (subject.kind === 'file') checkFile(check, subject, chain)
    if (subject.kind === 'record') checkRecord(check, subject, chain)
  }
  for (const id of chains.keys()) report('chain-stray', `subject ${id}`, 'entries of what the section does not name')
  return own
}
