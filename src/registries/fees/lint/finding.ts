export type FindingKind =
  | 'gap'
  | 'overlap'
  | 'empty'
  | 'start'
  | 'end'
  | 'discontinuity'
  | 'not_monotone'
  | 'unknown_field'
  | 'dates_overlap'
  | 'dates_gap'

/** Something about schedules that a person must look at. */
export interface Finding {
  /** The schedule it is about; of two, the later one. */
  readonly schedule: string
  readonly kind: FindingKind
  /** `error`: not loaded. `sign_off`: loaded once somebody has signed off that the adopted text says so. `note`: loaded. */
  readonly severity: 'error' | 'sign_off' | 'note'
  /** Stable for the same content, so that a signature stands for nothing else: where, and what stands there. */
  readonly text: string
}
