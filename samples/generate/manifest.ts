import type { ReasonCode } from '../../src/model/reasons.ts'

/** What becomes of one record that is not simply accepted, or of one document. */
export interface ExpectedRecord {
  readonly file: string
  /** Counts records of the file from 1; absent for a document or a file that is one record. */
  readonly row?: number
  readonly state: 'accepted' | 'duplicate' | 'quarantined' | 'rejected'
  /** A reason that must be among the record's reasons. Absent where more than one reason would be right. */
  readonly code?: ReasonCode
  /** True for a document so laid out that holding it is a fair answer too; accepting it with other values is not. */
  readonly may_be_held?: true
  /** Values an accepted document must have. */
  readonly fields?: Readonly<Record<string, string>>
}

/** The counts a batch ends with; `total` is the sum of the others. */
export interface ExpectedCounts {
  readonly total: number
  readonly accepted: number
  readonly duplicate: number
  readonly quarantined: number
  readonly rejected: number
  /** How many of the accepted may be held instead. */
  readonly may_be_held: number
}

export interface SampleBatch {
  readonly name: string
  readonly about: string
  readonly profile: 'permit' | 'policy' | 'lease'
  readonly jurisdiction: string
  readonly source?: string
  /** A batch that must be complete before this one is sent, because this one sends its records again. */
  readonly after?: string
  /** Paths below `samples/`, in the order in which they are sent. */
  readonly files: readonly string[]
  readonly expect: ExpectedCounts
  /** Every document and every row that is not simply accepted. */
  readonly records: readonly ExpectedRecord[]
}

/** One file before it is written. `rows` is how many records it holds. */
export interface SampleFile {
  readonly path: string
  readonly content: Buffer
  readonly rows: number
  readonly records: readonly ExpectedRecord[]
}

/** Everything about a batch that its files do not say. */
export type BatchHead = Omit<SampleBatch, 'files' | 'expect' | 'records'>

/** The manifest's entry for a batch; rows without an expectation of their own count as accepted. */
export function batchOf(head: BatchHead, files: readonly SampleFile[]): SampleBatch {
  const records = files.flatMap(file => file.records)
  const total = files.reduce((sum, file) => sum + file.rows, 0)
  const count = (state: ExpectedRecord['state']): number => records.filter(record => record.state === state).length
  const [duplicate, quarantined, rejected] = [count('duplicate'), count('quarantined'), count('rejected')]
  return {
    ...head,
    files: files.map(file => file.path),
    expect: {
      total,
      accepted: total - duplicate - quarantined - rejected,
      duplicate,
      quarantined,
      rejected,
      may_be_held: records.filter(record => record.may_be_held === true).length
    },
    records
  }
}
