import type { Json } from '../../model/json.ts'
import { REASONS, type ReasonCode } from '../../model/reasons.ts'
import type { Transition } from '../../model/states.ts'

/** What a sentence about a step is made from; all of it stands in the audit entry. */
export interface ToldStep {
  readonly batch: string
  readonly detail: { readonly [name: string]: Json }
  readonly reasons: readonly string[]
}

const isReason = (code: string): code is ReasonCode => Object.hasOwn(REASONS, code)

/** Reason codes, each with the sentence of the catalogue. */
const reasonsText = (codes: readonly string[]): string =>
  codes.map(code => (isReason(code) ? `${REASONS[code].message} (${code})` : code)).join(' ')

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

function after(sentence: string, { detail, reasons }: ToldStep): string {
  const follows = textOf(detail['follows'])
  const because =
    follows === undefined ? '' : ` This follows what was decided about record ${follows}, which has the same content.`
  const why = reasons.length > 0 ? ` ${reasonsText(reasons)}` : ''
  return `${sentence}${why}${because}`
}

function accepted(step: ToldStep): string {
  const { detail, reasons } = step
  const duplicate = textOf(detail['duplicate_of'])
  const version = textOf(detail['version'])
  if (duplicate !== undefined)
    return `It was accepted as a repetition: record ${duplicate} had brought the same content.`
  const as = version === undefined ? 'It was accepted.' : `It was accepted as version ${version} of its content.`
  return after(reasons.length > 0 ? `${as} Remarks:` : as, step)
}

function rejected(step: ToldStep): string {
  const replaced = textOf(step.detail['replaced_by'])
  if (replaced !== undefined) return `It ended, replaced by the corrected record ${replaced}.`
  return after('It was rejected.', step)
}

function corrected({ detail }: ToldStep): string {
  const { corrected: fields } = detail
  const names = Array.isArray(fields) ? fields.filter(name => typeof name === 'string') : []
  return names.length > 0 ? `Values were corrected: ${names.join(', ')}.` : 'Values were corrected.'
}

/** One sentence for each thing that can happen to a record. None of them holds a value of the record. */
const SENTENCES: { readonly [transition in Transition]: (step: ToldStep) => string } = {
  received: ({ batch }) => `It was received with batch ${batch}.`,
  chunked: () => 'Its place in the file was found.',
  extracted: () => 'The text of its document was read.',
  enriched: () => 'Registries were asked about it.',
  validated: () => 'Its values were checked against the rules.',
  accepted,
  quarantined: step => after('It was held for a person to decide.', step),
  rejected,
  corrected,
  released: () => 'A person released it.',
  retried: () => 'It was run again.',
  cancelled: () => 'It was cancelled before it was worked on.',
  completed: () => 'Its batch was completed.',
  erased: ({ detail }) =>
    `Its values were erased for good (${textOf(detail['reason']) ?? 'no reason told'}${detail['rule'] ? `, by the rule ${textOf(detail['rule']) ?? ''}` : ''}).`,
  payload_removed: () => 'Its file was removed.',
  payload_overwritten: () => 'Rows of its file were overwritten.',
  hold_placed: () => 'A legal hold was placed on it: nothing of it may be erased.',
  hold_lifted: () => 'The legal hold on it was lifted.',
  downloaded: ({ detail }) =>
    `Somebody took a copy of it${detail['download'] ? `: ${textOf(detail['download']) ?? ''}` : ''}.`
}

const isTransition = (name: string): name is Transition => Object.hasOwn(SENTENCES, name)

/** What happened, in plain words. A transition that is not known here is named as it stands. */
export const sentenceOf = (transition: string, step: ToldStep): string =>
  isTransition(transition) ? SENTENCES[transition](step) : `${transition}.`

/** Who did it, in plain words. */
export function actorText(actor: string): string {
  const [kind = '', ...rest] = actor.split(':')
  const name = rest.join(':')
  if (kind === 'key') return `the holder of key ${name}`
  return kind === 'worker' || kind === 'system' ? `Docket (${actor})` : actor
}
