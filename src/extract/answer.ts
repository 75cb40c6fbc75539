import type { DocumentText } from '../model/document-text.ts'
import type { ReasonCode } from '../model/reasons.ts'

/** Why a document that could be opened was given up. */
export type LimitDetail = 'limit_cpu' | 'limit_memory' | 'limit_time' | 'limit_text' | 'crashed'

/** What became of a document. A bad document is an outcome; only faults of our own are thrown. */
export type ExtractOutcome = { readonly ok: true; readonly document: DocumentText } | ExtractFailure

/** A document that cannot be read. */
export interface ExtractFailure {
  readonly ok: false
  readonly reason: ReasonCode
  readonly detail?: string
}

const REASON_OF: Readonly<Record<LimitDetail, ReasonCode>> = {
  limit_cpu: 'EXTRACTION_TIMEOUT',
  limit_time: 'EXTRACTION_TIMEOUT',
  limit_memory: 'EXTRACTION_MEMORY',
  limit_text: 'EXTRACTION_FAILED',
  crashed: 'EXTRACTION_CRASH'
}

/** A document that was given up in this way. */
export const givenUp = (detail: LimitDetail): ExtractFailure => ({ ok: false, reason: REASON_OF[detail], detail })

/** Whether a document was given up, rather than found bad: on a quieter machine or under higher limits it may be read. */
export const isGivenUp = ({ reason }: ExtractFailure): boolean =>
  reason === 'EXTRACTION_FAILED' || Object.values(REASON_OF).includes(reason)

/** What the extraction process answers: the same, before it is trusted. */
export type ChildAnswer = ExtractOutcome

/** Ceilings that a reader keeps by itself. */
export interface ReadLimits {
  readonly pages: number
  /** Characters of text in the whole document. */
  readonly characters: number
}
