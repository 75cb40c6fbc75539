import { createHash } from 'node:crypto'
import type { Json } from '../../../model/json.ts'
import {
  type Checkpoint,
  judgeSignatures,
  readCheckpoint,
  readNote,
  type VerifierKey
} from '../../log/signing/signed-note.ts'
import { readLines, readObject } from '../../outside/read-lines.ts'
import { SubjectTable } from '../../outside/subject-table.ts'
import { count, noTotals, RECEIPT_FORM, type ReceiptHeader, type Subject, signedText } from '../form.ts'
import { type BatchFacts, checkSection } from './check-section.ts'

export interface ReceiptFault {
  readonly check: string
  readonly place: string
  readonly message: string
}

export interface ReceiptReport {
  readonly ok: boolean
  readonly batch: string
  readonly totals: ReturnType<typeof noTotals>
  /** Size of the log under the receipt's checkpoint; 0 without a good one. */
  readonly covered: number
  readonly faults: readonly ReceiptFault[]
  readonly faultCount: number
}

/** Faults that are kept; the others are counted. */
const KEPT = 20
const OPENING = ',"sections":['
/** What follows a part; sections end with a line of their own. */
const NEXT = { header: 'sections', totals: 'signature', signature: 'end' } as const
const NO_HASH = Buffer.alloc(32)
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

class Verification {
  readonly faults: ReceiptFault[] = []
  faultCount = 0
  readonly totals = noTotals()
  readonly facts: BatchFacts = { received: undefined, ended: undefined, files: undefined }
  header: ReceiptHeader | undefined
  head: Checkpoint | undefined
  private readonly keys: readonly VerifierKey[]
  private readonly digest = createHash('sha256')
  private readonly seen = new SubjectTable()
  private lines = 0
  private part: 'header' | 'sections' | 'totals' | 'signature' | 'end' = 'header'
  private sent = 0
  private last = ''

  constructor(keys: readonly VerifierKey[]) {
    this.keys = keys
  }

  readonly report = (check: string, place: string, message: string): void => {
    this.faultCount += 1
    if (this.faults.length < KEPT) this.faults.push({ check, place, message })
  }

  take(line: string): void {
    this.lines += 1
    if (this.part === 'sections' && line.startsWith(']')) this.part = 'totals'
    if (this.part !== 'signature' && this.part !== 'end') this.digest.update(`${line}\n`)
    const part = this.part
    if (part === 'header') this.takeHeader(line)
    else if (part === 'sections') this.takeSection(line)
    else if (part === 'totals') this.takeTotals(line)
    else if (part === 'signature') this.takeSignature(line)
    else this.report('receipt-form', this.place(), 'does not belong here')
    if (part !== 'sections' && part !== 'end') this.part = NEXT[part]
  }

  /** To be called when there are no more lines. */
  end(): void {
    if (this.part !== 'end') this.report('receipt-form', this.place(), 'the receipt is cut off')
  }

  private place(): string {
    return `line ${this.lines}`
  }

  private takeHeader(line: string): void {
    const told = line.endsWith(OPENING) ? readObject(`${line.slice(0, -OPENING.length)}}`) : undefined
    const header = told as unknown as ReceiptHeader | undefined
    if (
      header?.form !== RECEIPT_FORM ||
      typeof header.jurisdiction !== 'string' ||
      typeof header.checkpoint !== 'string' ||
      !ID.test(header.batch?.id)
    ) {
      return this.report('receipt-form', this.place(), 'is not the beginning of a receipt')
    }
    this.header = header
    const { checkpoint, jurisdiction } = header
    const head = readCheckpoint(readNote(checkpoint)?.text ?? '')
    const worth = judgeSignatures(checkpoint, this.keys)
    if (!head) this.report('checkpoint-form', 'checkpoint', 'is no signed checkpoint')
    else if (worth !== 'valid') {
      const how = worth === 'unknown' ? 'is signed by none of the keys' : 'has a false signature'
      this.report('checkpoint-signature', 'checkpoint', how)
    } else if (!head.origin.endsWith(`/${jurisdiction}`)) {
      this.report('checkpoint-origin', 'checkpoint', `is of the log ${head.origin}`)
    } else this.head = head
  }

  private takeSection(line: string): void {
    const section = readObject(line.replace(/,$/, ''))
    const { header } = this
    if (!section || !header) return this.report('receipt-form', this.place(), 'is no section')
    const { report, facts } = this
    const log = { jurisdiction: header.jurisdiction, head: this.head }
    const subjects = checkSection({ log, batch: header.batch, facts, report }, section, this.place())
    for (const subject of subjects) this.countIn(subject, header.batch.id)
  }

  private countIn(subject: Subject, batchId: string): void {
    const place = `${subject.kind} ${subject.id}`
    if (!ID.test(subject.id) || this.seen.get(subject.id))
      return this.report('subject-twice', place, 'stands here twice')
    this.seen.set(subject.id, { seq: 1, hash: NO_HASH, fingerprint: NO_HASH })
    if (subject.kind === 'batch' && subject.id !== batchId) this.report('batch-facts', place, 'is another batch')
    if (subject.kind === 'file' && subject.archive_id === null) this.sent += 1
    const order = this.orderOf(subject)
    if (order <= this.last) this.report('receipt-form', place, 'is out of order')
    this.last = order
    count(this.totals, subject)
  }

  private orderOf(subject: Subject): string {
    const pad = (number: number): string => String(number).padStart(12, '0')
    if (subject.kind === 'batch') return '0'
    return subject.kind === 'file' ? `1 ${pad(subject.number)}` : `2 ${pad(subject.file)} ${pad(subject.row ?? 0)}`
  }

  private takeTotals(line: string): void {
    const told = /^\],"totals":(\{.*\}),$/.exec(line)?.[1]
    if (told !== JSON.stringify(this.totals)) this.report('totals', this.place(), 'are not those of the receipt')
    const { files, ended } = this.facts
    if (this.facts.received === undefined) return this.report('chain-missing', 'batch', 'no section is about it')
    if (files !== this.sent) this.report('totals', 'files', `${this.sent} are told of, and others were sent`)
    if (this.header?.batch.state !== 'completed') return
    const names = ['accepted', 'duplicate', 'quarantined', 'rejected']
    const records = names.reduce((sum, name) => sum + Number((ended as { [name: string]: Json })?.[name] ?? 0), 0)
    if (records !== this.totals.records) {
      this.report('totals', 'records', `${this.totals.records} are told of, the batch ended with ${records}`)
    }
  }

  private takeSignature(line: string): void {
    const note = readObject(`{${line}`)?.['signature']
    if (typeof note !== 'string') return this.report('receipt-signature', this.place(), 'is no signature')
    const { header } = this
    const origin = note.slice(0, note.indexOf('\n'))
    if (!origin.endsWith(`/${header?.jurisdiction ?? ''}`) || (this.head && this.head.origin !== origin)) {
      this.report('receipt-origin', 'signature', 'is of another log than the receipt')
    }
    if (readNote(note)?.text !== signedText(origin, header?.batch.id ?? '', this.digest.digest())) {
      return this.report('receipt-signature', 'signature', 'was made over another text: the receipt was altered')
    }
    const worth = judgeSignatures(note, this.keys)
    if (worth === 'unknown') this.report('receipt-signature', 'signature', 'is of none of the keys')
    if (worth === 'invalid') this.report('receipt-signature', 'signature', 'is false')
  }
}

/**
 * Verifies a receipt with public keys alone, in one pass: its signature, its checkpoint, the path of every commit, the
 * chains of all subjects, and that what it says of them is what the entries say. Memory grows by a hundred bytes for each
 * record. Throws when the file cannot be read.
 */
export async function verifyReceipt(path: string, keys: readonly VerifierKey[]): Promise<ReceiptReport> {
  const verification = new Verification(keys)
  for await (const line of readLines(path)) verification.take(line)
  verification.end()
  const { faults, faultCount, totals, head, header } = verification
  return { ok: faultCount === 0, batch: header?.batch.id ?? '?', totals, covered: head?.size ?? 0, faults, faultCount }
}
