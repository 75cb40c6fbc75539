import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import type { Submission } from './content.ts'

/** `unknown`: no answer, or one that does not say whether it took effect. Never taken for a failure. */
export type Outcome = 'ok' | 'fail' | 'unknown'

/** Statuses that mean "later", which have to say when. */
const COME_BACK = new Set([429, 503])

/** One call, as a line before it and one after. */
export interface HistoryLine {
  readonly t: number
  readonly client: string
  readonly op: 'invoke' | 'complete'
  readonly key: string
  readonly sha256: string
  readonly outcome?: Outcome
  readonly status?: number
  readonly batchId?: string
}

/** What is known of everything submitted under one key. */
export interface Operation {
  readonly key: string
  readonly submission: Submission
  /** Ids of all batches that were ever answered under it: one, or something is wrong. */
  readonly batchIds: Set<string>
  outcome: Outcome
  calls: number
}

/** What clients did and were told, which is all that a submitter ever knows. */
export class History {
  readonly operations = new Map<string, Operation>()
  /** Answers by status; 0 for none. */
  readonly statuses = new Map<number, number>()
  /** Answers that ask to come back and do not say when. */
  readonly unsaid = new Map<number, number>()
  private readonly path: string | undefined
  private readonly begun = performance.now()

  /** Lines go to the file at `path` as well. */
  constructor(path?: string) {
    this.path = path
  }

  operation(key: string, submission: Submission): Operation {
    const known = this.operations.get(key)
    if (known) return known
    const made: Operation = { key, submission, batchIds: new Set(), outcome: 'unknown', calls: 0 }
    this.operations.set(key, made)
    return made
  }

  invoke(client: string, operation: Operation): void {
    operation.calls += 1
    this.write({ ...this.line(client, operation), op: 'invoke' })
  }

  complete(
    client: string,
    operation: Operation,
    answer: {
      readonly outcome: Outcome
      readonly status: number
      readonly batchId?: string
      readonly retryAfter?: number | undefined
    }
  ): void {
    const { outcome, status, batchId, retryAfter } = answer
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (COME_BACK.has(status) && retryAfter === undefined) this.unsaid.set(status, (this.unsaid.get(status) ?? 0) + 1)
    if (batchId !== undefined) operation.batchIds.add(batchId)
    // What was acknowledged once stays so, whatever a repetition is told.
    if (operation.outcome !== 'ok') operation.outcome = outcome
    this.write({ ...this.line(client, operation), op: 'complete', ...answer })
  }

  of(outcome: Outcome): Operation[] {
    return [...this.operations.values()].filter(operation => operation.outcome === outcome)
  }

  private line(client: string, { key, submission }: Operation): Omit<HistoryLine, 'op'> {
    const sha256 = createHash('sha256').update(submission.bytes).digest('hex')
    return { t: Math.round(performance.now() - this.begun), client, key, sha256 }
  }

  private write(line: HistoryLine): void {
    if (this.path !== undefined) appendFileSync(this.path, `${JSON.stringify(line)}\n`)
  }
}
