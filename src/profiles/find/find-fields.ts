import type { DocumentText } from '../../model/document-text.ts'
import type { Envelope, Origin } from '../../model/envelope.ts'
import { REASONS, type Reason, type ReasonCode, reasonOf } from '../../model/reasons.ts'
import { readAbsence } from '../../normalize/absence.ts'
import type { Candidate } from '../candidate.ts'
import { isForeign } from '../foreign.ts'
import { leasePlan } from '../lease/lease-plan.ts'
import { permitKind } from '../permit/permit-kind.ts'
import { policyPlan } from '../policy/policy-plan.ts'
import type { Field, Profile } from '../profile.ts'
import { probabilityOf } from './calibration.ts'
import { absentEnvelope, choose } from './choose.ts'
import { declaredLabels, declaredReading, type Overrides } from './context/overrides.ts'
import { contextOf } from './context/reading-context.ts'
import type { Evidence } from './evidence.ts'
import { finderEvidence } from './finder-evidence.ts'
import { labelEvidence } from './label-evidence.ts'
import { findLabels, type LabelPhrase, labelTree } from './layout/labels.ts'
import { proseOf } from './layout/prose.ts'
import { sheetOf } from './layout/sheet.ts'
import { labelMap } from './layout/slots.ts'
import { mainSource, weighRecognised } from './recognised/recognised-words.ts'
import { illegiblePages, textLayerReasons, withoutCutOff } from './text-layer.ts'
import type { Drafts, FindPlan, View } from './view.ts'
import { weighPlace } from './weigh-place.ts'

/** What finding leans on besides the document. `today` is injected; nothing here reads a clock. */
export interface FindContext {
  /** `YYYY-MM-DD`. */
  readonly today: string
  readonly jurisdiction: string
  /** Who produced the document; selects the finders meant for it. */
  readonly source?: string
  /** What this source has declared of its documents: plain data, as it is saved for its files. */
  readonly overrides?: Overrides
}

const PLANS: Readonly<Record<string, FindPlan>> = { policy: policyPlan, lease: leasePlan }

/** The labels of a profile that has no plan of its own: those its fields name. */
function labelsOf(profile: Profile): LabelPhrase[] {
  return Object.values(profile.fields).flatMap(field => [
    ...field.labels.map(phrase => ({ phrase, key: field.name, weight: 1 })),
    ...field.notLabels.map(phrase => ({ phrase, key: 'not', weight: 1 }))
  ])
}

function planOf(profile: Profile): FindPlan {
  const own = PLANS[profile.name]
  if (own) return own
  return {
    labels: labelsOf(profile),
    readers: {},
    gather: () => [],
    weigh: evidence => evidence,
    kind: profile.name === 'permit' ? permitKind : () => [],
    settle: () => []
  }
}

function viewOf(profile: Profile, plan: FindPlan, document: DocumentText, context: FindContext): View {
  const sheet = sheetOf(document)
  const prose = proseOf(sheet)
  const labels = labelMap(findLabels(labelTree([...declaredLabels(profile, context.overrides), ...plan.labels]), sheet))
  const read = contextOf(prose, { today: context.today, source: mainSource(document) })
  return { document, sheet, prose, labels, profile, context: { ...read, ...declaredReading(context.overrides) } }
}

const isReasonCode = (flag: string): flag is ReasonCode => Object.hasOwn(REASONS, flag)

/** Why a field without a value has none: the first of its flags that is a reason, else that it is missing. */
function reasonsOf(field: Field, envelope: Envelope): Reason[] {
  if (envelope.value !== null) return []
  const code = envelope.flags.find(isReasonCode)
  // A document that contradicts itself is for a person to settle, even where the field may be empty.
  if (field.required || code === 'WORDS_DIGITS_MISMATCH')
    return [reasonOf(code ?? 'FIELD_MISSING', { field: field.name, origin: envelope.origin })]
  const isUnreadable = envelope.status === 'invalid' || envelope.status === 'ambiguous'
  return isUnreadable ? [reasonOf('FIELD_WARNING', { field: field.name, origin: envelope.origin })] : []
}

function draftFields(profile: Profile, evidence: readonly Evidence[]): Drafts {
  const byField = Map.groupBy(evidence, piece => piece.field)
  const drafts: Drafts = new Map()
  for (const name of Object.keys(profile.fields)) {
    const pieces = byField.get(name) ?? []
    if (pieces.length > 0) drafts.set(name, choose(pieces))
  }
  return drafts
}

function missingGroups(profile: Profile, drafts: Drafts): Reason[] {
  return profile.requireOneOf
    .filter(group => group.every(name => (drafts.get(name)?.value ?? null) === null))
    .flatMap(group => {
      const named = group.find(name => drafts.get(name)?.flags.some(isReasonCode)) ?? group.at(-1)
      const code = drafts.get(named ?? '')?.flags.find(isReasonCode) ?? 'FIELD_MISSING'
      return named === undefined ? [] : [reasonOf(code, { field: named, detail: `one of ${group.join(', ')}` })]
    })
}

/** A value may never be a blank or blacked-out mark or hold a glyph nobody can read, whatever found it. */
function withoutMarks(envelope: Envelope): Envelope {
  if (typeof envelope.value !== 'string') return envelope
  if (envelope.value.includes('\ufffd')) {
    return { ...envelope, value: null, status: 'invalid', flags: ['OCR_SUSPECT', 'UNMAPPED_GLYPHS'] }
  }
  const absence = readAbsence(envelope.value)
  return absence ? { ...envelope, value: null, status: absence.status, flags: [...absence.flags] } : envelope
}

/** An optional amount that may not be negative and is: no value. Required ones are told by the rules of their profile. */
function withinBounds(field: Field | undefined, envelope: Envelope): Envelope {
  const isNegative = typeof envelope.value === 'string' && envelope.value.startsWith('-')
  if (!isNegative || field?.type !== 'money' || field.required || !field.constraints.nonNegative) return envelope
  return { ...envelope, value: null, status: 'invalid', flags: [...envelope.flags, 'NEGATIVE_AMOUNT'] }
}

/** Everything a document offers for the fields of a profile, weighed but not decided. */
export function gatherEvidence(
  profile: Profile,
  document: DocumentText,
  context: FindContext
): { view: View; evidence: readonly Evidence[] } {
  const plan = planOf(profile)
  const view = viewOf(profile, plan, document, context)
  const gathered = [...finderEvidence(view, context.source), ...labelEvidence(plan, view), ...plan.gather(view)]
  const whole = withoutCutOff(gathered, document)
  return { view, evidence: weighRecognised(plan.weigh(weighPlace(whole, view), view), document, profile) }
}

/**
 * Finds the fields of a profile in a document. Pure and linear in the size of the document. Every value has its
 * place; a field with competing values has none; what is required and not found, and whatever makes the document
 * unfit to be taken unseen, stands in `reasons`.
 */
export function findFields(profile: Profile, document: DocumentText, context: FindContext): Candidate {
  const plan = planOf(profile)
  const layer = textLayerReasons(document)
  const { view, evidence } = gatherEvidence(profile, document, context)
  if (!isUnreadable(layer) && isForeign(profile, view)) return ofAnotherKind(profile, document, layer)
  const drafts = draftFields(profile, evidence)
  for (const [name, envelope] of drafts) drafts.set(name, withinBounds(profile.fields[name], withoutMarks(envelope)))
  const settled = plan.settle(drafts, view, evidence)
  for (const field of Object.values(profile.fields)) {
    if (field.required && !drafts.has(field.name)) drafts.set(field.name, absentEnvelope())
  }
  const missing = [
    ...Object.values(profile.fields).flatMap(field => {
      const envelope = drafts.get(field.name)
      return envelope ? reasonsOf(field, envelope) : []
    }),
    ...missingGroups(profile, drafts)
  ]
  const illegible = missing.some(reason => reason.severity === 'block') ? illegiblePages(document) : null
  const kind = isUnreadable(layer) ? [] : plan.kind(view, evidence)
  const reasons = [...layer, ...kind, ...(illegible ? [illegible] : []), ...missing, ...settled]
  const unsure = reasons.some(reason => reason.severity === 'block') ? [] : withholdUnsure(profile, drafts)
  placeAbsent(profile, document, drafts)
  return { fields: Object.fromEntries(drafts), extra: {}, reasons: [...reasons, ...unsure] }
}

const isUnreadable = (layer: readonly Reason[]): boolean => layer.some(reason => reason.code.includes('TEXT_LAYER'))

/** A document of another kind says nothing about the fields of this profile, whatever stands in it. */
function ofAnotherKind(profile: Profile, document: DocumentText, layer: readonly Reason[]): Candidate {
  const drafts: Drafts = new Map()
  placeAbsent(profile, document, drafts)
  const illegible = illegiblePages(document)
  const reasons = [...layer, reasonOf('DOC_TYPE_UNKNOWN'), ...(illegible ? [illegible] : [])]
  return { fields: Object.fromEntries(drafts), extra: {}, reasons }
}

/** All of the first page, or the first paragraph: where a person begins to look for what was not found. */
function startOf(document: DocumentText): Origin | null {
  const page = document.pages[0]
  if (page) return { page: page.number, bbox: [0, 0, 1, 1] }
  const paragraph = document.paragraphs[0]
  return paragraph ? { paragraph: paragraph.index } : null
}

/** A field that was looked for and not found says so, and where looking for it begins. */
function placeAbsent(profile: Profile, document: DocumentText, drafts: Drafts): void {
  const origin = startOf(document)
  for (const { name, filledBy } of Object.values(profile.fields)) {
    const envelope = drafts.get(name) ?? absentEnvelope()
    if (filledBy === 'submission' && envelope.value === null && envelope.origin === null) {
      drafts.set(name, { ...envelope, origin })
    }
  }
}

/** An optional value less sure than this is not taken unseen. */
const UNSURE = 0.75

/** In a record that may be taken unseen, optional values that are not sure are left to a person: shown as a reading, not as the value. */
function withholdUnsure(profile: Profile, drafts: Drafts): Reason[] {
  const grouped = new Set(profile.requireOneOf.flat())
  return [...drafts].flatMap(([name, envelope]) => {
    const field = profile.fields[name]
    if (envelope.value === null || envelope.confidence >= UNSURE || field?.required || grouped.has(name)) return []
    drafts.set(name, {
      ...envelope,
      value: null,
      status: 'ambiguous',
      confidence: probabilityOf('undecided'),
      readings: [envelope.value, null],
      flags: [...envelope.flags, 'UNSURE']
    })
    return [reasonOf('FIELD_WARNING', { field: name, origin: envelope.origin })]
  })
}
