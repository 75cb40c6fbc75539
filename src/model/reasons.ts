import type { Origin } from './envelope.ts'
import { CONTENT_REASONS } from './reasons/content-reasons.ts'
import type { FailureClass, ReasonKind, Severity } from './reasons/reason-kind.ts'
import { RECORD_REASONS } from './reasons/record-reasons.ts'

/** The closed list of reasons why a record is not accepted, or what to look at. */
export const REASONS = { ...CONTENT_REASONS, ...RECORD_REASONS } as const satisfies Record<string, ReasonKind>

export type ReasonCode = keyof typeof REASONS

/** One reason as stored and shown. Snake case because it is stored and answered as it stands. */
export interface Reason {
  readonly code: ReasonCode
  readonly severity: Severity
  readonly failure_class: FailureClass
  readonly field: string | null
  readonly message: string
  readonly origin: Origin | null
}

export interface ReasonOptions {
  readonly field?: string
  readonly origin?: Origin | null
  /** Overrides the catalogue's severity, e.g. a bad optional value that only warns. */
  readonly severity?: Severity
  /** Appended to the sentence: names, positions and counts only, never a submitted value. */
  readonly detail?: string
}

/** Makes a reason from the catalogue. */
export function reasonOf(code: ReasonCode, options: ReasonOptions = {}): Reason {
  const kind: ReasonKind = REASONS[code]
  return {
    code,
    severity: options.severity ?? kind.severity,
    failure_class: kind.failureClass,
    field: options.field ?? null,
    message: options.detail ? `${kind.message} (${options.detail})` : kind.message,
    origin: options.origin ?? null
  }
}

/** What a record's reasons make of it, before confidence and duplicates are looked at. */
export function stateFromReasons(reasons: readonly Reason[]): 'accepted' | 'quarantined' | 'rejected' {
  if (reasons.some(reason => reason.severity === 'fatal')) return 'rejected'
  return reasons.some(reason => reason.severity === 'block') ? 'quarantined' : 'accepted'
}
