import type { DocumentText } from '../../model/document-text.ts'
import type { Envelope } from '../../model/envelope.ts'
import type { ReadingContext } from '../../model/reading.ts'
import type { Reason } from '../../model/reasons.ts'
import type { Profile } from '../profile.ts'
import type { Evidence } from './evidence.ts'
import type { LabelHit, LabelPhrase } from './layout/labels.ts'
import type { Prose } from './layout/prose.ts'
import type { Sheet } from './layout/sheet.ts'
import type { LabelMap, Slot } from './layout/slots.ts'

/** Everything finders look at: one document, laid out once. */
export interface View {
  readonly document: DocumentText
  readonly sheet: Sheet
  readonly prose: Prose
  readonly labels: LabelMap
  readonly context: ReadingContext
  readonly profile: Profile
}

/** Reads the slots of one label as one field; null when nothing there fits the field. */
export type SlotReader = (slots: readonly Slot[], hit: LabelHit, view: View) => Evidence | null

/** Fields being settled, by name. Finders of cross-checks replace entries. */
export type Drafts = Map<string, Envelope>

/** How the documents of one profile are read. */
export interface FindPlan {
  readonly labels: readonly LabelPhrase[]
  /** Reads where a field's type alone does not say how. */
  readonly readers: Readonly<Record<string, SlotReader>>
  /** Finds that do not start from one label: pairs of dates, sentences, titles. */
  readonly gather: (view: View) => readonly Evidence[]
  /** Looks at all evidence together and raises or lowers the scores of single pieces, or adds what follows from others. */
  readonly weigh: (evidence: readonly Evidence[], view: View) => readonly Evidence[]
  /** Reasons when the document is no record of this profile, or more than one. */
  readonly kind: (view: View, evidence: readonly Evidence[]) => readonly Reason[]
  /** Checks that look at several fields; may add, replace or withdraw drafts. */
  readonly settle: (drafts: Drafts, view: View, evidence: readonly Evidence[]) => readonly Reason[]
}
