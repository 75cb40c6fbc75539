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

/** What the extraction process answers: the same, before it is trusted. */
export type ChildAnswer = ExtractOutcome

/** Ceilings that a reader keeps by itself. */
export interface ReadLimits {
  readonly pages: number
  /** Characters of text in the whole document. */
  readonly characters: number
}
