/** `fatal` rejects at once, `block` holds for a person, `warn` and `info` do neither. */
export type Severity = 'info' | 'warn' | 'block' | 'fatal'
export type FailureClass = 'transient' | 'permanent'

export interface ReasonKind {
  readonly severity: Severity
  readonly failureClass: FailureClass
  /** A plain sentence for a clerk: what is wrong and what to do. Never holds a submitted value. */
  readonly message: string
}

export const permanent = (severity: Severity, message: string): ReasonKind => ({
  severity,
  failureClass: 'permanent',
  message
})
