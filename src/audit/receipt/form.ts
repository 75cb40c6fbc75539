import type { Json } from '../../model/json.ts'

/** First member of every receipt: what it is and in which form. */
export const RECEIPT_FORM = 'docket-receipt/1'

/** Members of a receipt's parts; the names are those of the JSON. */
export interface ReceiptHeader {
  readonly form: string
  readonly jurisdiction: string
  readonly batch: {
    readonly id: string
    readonly profile: string
    readonly source: string | null
    readonly state: string
    readonly submitter: string
    readonly received_at: string
    readonly finished_at: string
    readonly digest: string
  }
  /** Signed note of the log that everything below stands in. */
  readonly checkpoint: string
}

export interface FileSubject {
  readonly kind: 'file'
  readonly id: string
  readonly number: number
  readonly filename: string
  readonly declared_type: string | null
  readonly media_type: string
  readonly size: number
  readonly sha256: string
  readonly archive_id: string | null
}

export interface RecordSubject {
  readonly kind: 'record'
  readonly id: string
  readonly file: number
  readonly row: number | null
  readonly line: number | null
  readonly state: string | null
  readonly codes: readonly string[]
  readonly key: string | null
  readonly duplicate_of: string | null
  readonly follows: string | null
  readonly replaced_by: string | null
  readonly erased_at: string | null
}

export type Subject = { readonly kind: 'batch'; readonly id: string } | FileSubject | RecordSubject

/** A commit of the log with its path, and its entries in order: the text of an own one, the hash of any other. */
export interface ReceiptCommit {
  readonly leaf: string
  readonly index: number
  readonly path: readonly string[]
  readonly entries: readonly (string | { readonly hash: string })[]
}

/** Some subjects and every commit that tells of them. */
export interface Section {
  readonly subjects: readonly Subject[]
  readonly commits: readonly ReceiptCommit[]
}

/** How many files, and records by how they ended. */
export interface Totals {
  files: number
  records: number
  accepted: number
  duplicate: number
  quarantined: number
  rejected: number
}

export const noTotals = (): Totals => ({
  files: 0,
  records: 0,
  accepted: 0,
  duplicate: 0,
  quarantined: 0,
  rejected: 0
})

/** Counts a subject in. */
export function count(totals: Totals, subject: Subject): void {
  if (subject.kind === 'file') totals.files += 1
  if (subject.kind !== 'record') return
  totals.records += 1
  const { state } = subject
  if (state === 'accepted') totals[subject.duplicate_of === null ? 'accepted' : 'duplicate'] += 1
  if (state === 'quarantined' || state === 'rejected') totals[state] += 1
}

/** The text that a receipt's signatures are over. Its second line is no number, so it cannot be read as a checkpoint. */
export const signedText = (origin: string, batchId: string, digest: Buffer): string =>
  `${origin}\nreceipt ${batchId}\n${digest.toString('base64')}\n`

/** Members in canonical order are not needed: what is signed are the bytes. */
export const lineOf = (value: Json | object): string => JSON.stringify(value)
