/** The numbers of the five invariants in the architecture document. */
export type Invariant = 1 | 2 | 3 | 4 | 5

/** The first row that fails a check, and how many fail it. */
export interface Offender {
  readonly check: string
  readonly invariant: Invariant
  readonly jurisdiction: string
  /** Id of the batch, file, chunk, record or commit at fault, or the key of a payload. */
  readonly subject: string
  /** Ids and counts only, never a submitted value. */
  readonly message: string
  readonly count: number
}

export interface Checked {
  readonly batches: number
  readonly files: number
  readonly chunks: number
  readonly records: number
  readonly versions: number
  readonly heads: number
  readonly entries: number
  readonly commits: number
  readonly checkpoints: number
  readonly payloads: number
}

export interface VerifyReport {
  readonly ok: boolean
  readonly checked: Checked
  /** At most one for each check, in the order of the checks. */
  readonly offenders: readonly Offender[]
}

/** The report as plain lines for a terminal: what was looked at, then the first offender of each check that failed. */
export function formatReport(report: VerifyReport): string {
  const looked = Object.entries(report.checked).map(([name, count]) => `${count} ${name}`)
  const failed = report.offenders.map(
    ({ check, invariant, jurisdiction, subject, message, count }) =>
      `FAILED ${check} (invariant ${invariant}): ${jurisdiction} ${subject}: ${message}` +
      (count > 1 ? `; and ${count - 1} more` : '')
  )
  const end = report.ok ? 'Every check passed.' : `${failed.length} of the checks failed.`
  return [`Checked ${looked.join(', ')}.`, ...failed, end].join('\n')
}
