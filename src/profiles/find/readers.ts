import type { Json } from '../../model/json.ts'
import type { Reading } from '../../model/reading.ts'
import { readAbsence } from '../../normalize/absence.ts'
import { readDate } from '../../normalize/date.ts'
import { readMoney } from '../../normalize/money.ts'
import { readInteger } from '../../normalize/number.ts'
import { foldText } from '../../normalize/text.ts'
import type { Evidence } from './evidence.ts'
import type { LabelHit } from './layout/labels.ts'
import { blockFrom } from './layout/neighbours.ts'
import { originOf, type Segment, segmentsWithin } from './layout/sheet.ts'
import { opensWithLabel, type Slot, slotText } from './layout/slots.ts'
import { looksLikeAddress } from './values/address.ts'
import { type AmountMention, findAmounts, findDates, type Mention } from './values/mentions.ts'
import { readName } from './values/names.ts'
import { readPolicyNumber } from './values/policy-number.ts'
import { againstWords, wordsBeside } from './values/worded-amount.ts'
import type { SlotReader, View } from './view.ts'

/** A value further than this into its slot belongs to a sentence, not to the label. In characters. */
const LEAD_IN = 30

interface Piece {
  readonly slot: Slot
  readonly hit: LabelHit
  readonly from: number
  readonly to: number
}

export function evidenceOf(
  piece: Piece,
  reading: Reading | { value: Json; status: 'found'; flags: readonly string[] },
  fit: number
): Evidence {
  const { slot, hit, from, to } = piece
  const tokens = slot.segment.tokens.slice(from, to)
  const evidence: Evidence = {
    field: hit.key,
    value: reading.value,
    raw: tokens.map(token => token.text).join(' '),
    origin: originOf(slot.segment, from, to),
    status: reading.status,
    flags: tokens.some(token => token.source === 'ocr') ? [...reading.flags, 'OCR'] : reading.flags,
    score: hit.weight * slot.fit * fit,
    via: `${hit.phrase}/${slot.via}`
  }
  return 'readings' in reading && reading.readings ? { ...evidence, readings: reading.readings } : evidence
}

/** The words of a slot that cover a mention found in the slot's text. */
export function mentionPiece(slot: Slot, hit: LabelHit, mention: Mention): Piece {
  let offset = 0
  let from = slot.from
  let to = slot.to
  for (let at = slot.from; at < slot.to; at += 1) {
    const end = offset + (slot.segment.tokens[at]?.text.length ?? 0)
    if (offset <= mention.start) from = at
    if (offset < mention.end) to = at + 1
    offset = end + 1
  }
  return { slot, hit, from, to }
}

/** Stands for a glyph that no letter is known for. What is left of a value around it is not the value. */
const UNKNOWN_GLYPH = '\ufffd'
const UNKNOWN_GLYPHS: Reading = { value: null, status: 'invalid', flags: ['OCR_SUSPECT', 'UNMAPPED_GLYPHS'] }

/** What a slot says when it says nothing: blacked out, a placeholder, a blank, signs nobody can read. Null when it may hold a value. */
function absenceIn(slot: Slot, hit: LabelHit): Evidence | null {
  const text = slotText(slot)
  if (text.includes(UNKNOWN_GLYPH)) {
    return evidenceOf({ slot, hit, from: slot.from, to: slot.to }, UNKNOWN_GLYPHS, 1)
  }
  const reading = readAbsence(foldText(text))
  if (!reading || reading.status === 'not_applicable') return null
  return evidenceOf({ slot, hit, from: slot.from, to: slot.to }, reading, 1)
}

/** The first slot that reads; a slot that says "nothing here" ends the search. */
export function firstOf(slots: readonly Slot[], hit: LabelHit, read: (slot: Slot) => Evidence | null): Evidence | null {
  for (const slot of slots) {
    const evidence = absenceIn(slot, hit) ?? read(slot)
    if (evidence) return evidence
  }
  return null
}

/** `The later of (a) June 1, 2025 or`: the date hangs on what else is named, and is not known. */
const HANGS = /\b(?:later|latest|earlier|earliest|sooner|first)(?: to occur)? of\b/i
const CONTINGENT: Reading = { value: null, status: 'ambiguous', flags: ['CONTINGENT_DATE'] }

/** `Effective Date of Change: …` is the date of the change: what follows the label says whose date it is. */
const OF_ANOTHER =
  /^(?:of|for) (?!(?:the |this |your )?(?:policy|coverage|cover|insurance|term|lease|tenancy|agreement)\b)/i

/** Dates of two terms side by side behind one label: which is asked for, its columns may say and the label does not. */
function columnsOfDates(slots: readonly Slot[], hit: LabelHit, view: View): Evidence | null {
  const dated = slots.flatMap(slot => {
    const [mention, second] = findDates(slotText(slot))
    return slot.via === 'right' && mention && !second && mention.start === 0 ? [{ slot, mention }] : []
  })
  const yearPivot = view.profile.fields[hit.key]?.yearPivot ?? 'past'
  const readings = dated.map(({ mention }) => readDate(mention.raw, { ...view.context, yearPivot }).value)
  const [first] = dated
  if (!first || new Set(readings).size < 2) return null
  const reading: Reading = { value: null, status: 'ambiguous', flags: ['MULTIPLE_CANDIDATES'], readings }
  return evidenceOf(mentionPiece(first.slot, hit, first.mention), reading, 1)
}

/** A date at the start of its place. Of two dates in one place neither is taken. */
export const dateReader: SlotReader = (slots, hit, view) =>
  columnsOfDates(slots, hit, view) ??
  firstOf(slots, hit, slot => {
    const mentions = findDates(slotText(slot))
    const [mention] = mentions
    if (!mention || mention.start > LEAD_IN || mentions.length > 1) return null
    if (slot.via === 'inline' && OF_ANOTHER.test(slotText(slot))) return null
    const field = view.profile.fields[hit.key]
    if (HANGS.test(slotText(slot).slice(0, mention.start)))
      return evidenceOf(mentionPiece(slot, hit, mention), CONTINGENT, 1)
    const reading = readDate(mention.raw, { ...view.context, yearPivot: field?.yearPivot ?? 'past' })
    return evidenceOf(mentionPiece(slot, hit, mention), reading, mention.start > 12 ? 0.95 : 1)
  })

/** The amounts that stand in the slots of a label on one side of it, in reading order. */
export function amountsIn(slots: readonly Slot[]): { slot: Slot; amount: AmountMention }[] {
  const [first] = slots
  return slots
    .filter(slot => slot.via === first?.via)
    .toSorted((a, b) => a.segment.box[0] - b.segment.box[0])
    .flatMap(slot => findAmounts(slotText(slot)).map(amount => ({ slot, amount })))
}

/** An amount beside its label. A row with several different amounts is a table row whose columns the label does not name. */
export const moneyReader: SlotReader = (slots, hit, view) => {
  for (const via of ['inline', 'right', 'below'] as const) {
    const side = slots.filter(slot => slot.via === via)
    const amounts = amountsIn(via === 'below' ? side.slice(0, 2) : side)
    const [first] = amounts
    if (!first || first.amount.start > LEAD_IN) continue
    const distinct = new Set(amounts.map(({ amount }) => amount.raw.replace(/[$\s]/g, '')))
    if (distinct.size > 1) continue
    return amountEvidence(first.slot, hit, first.amount, view)
  }
  return null
}

const ROW_FIT = 0.95

/** Reads one amount of a slot as evidence; for plans that choose among several. */
export function amountEvidence(slot: Slot, hit: LabelHit, amount: AmountMention, view: View): Evidence {
  // Amounts are aligned far to the right of their labels; distance says nothing.
  const row = slot.via === 'right' ? { ...slot, fit: Math.max(slot.fit, ROW_FIT) } : slot
  const raw = amount.raw.replace(/^US ?(?=\$)/, '')
  const evidence = evidenceOf(mentionPiece(row, hit, amount), readMoney(raw, view.context), 1)
  return againstWords(evidence, wordsBeside(slotText(slot), amount))
}

/** Names listed below one another read as one value with `; ` between them. */
const LIST_MOST = 3

/** A name as written; further names stacked right below it belong to it. */
export const nameReader: SlotReader = (slots, hit, view) =>
  firstOf(slots, hit, slot => {
    const text = slotText(slot)
    const read = readName(text)
    if (!read || /^\d/.test(read.name) || /^(?=\S+$)\D*\d/.test(read.name)) return null
    const fit = nameFit(slot, hit)
    if (fit < 1 && !isTitled(read.name)) return null
    const more = slot.via === 'inline' || slot.from > 0 ? [] : namesBelow(slot, hit, view)
    const value = [read.name, ...more].join('; ')
    return evidenceOf(
      { slot, hit, from: slot.from, to: slot.to },
      { value, status: 'found', flags: read.flags },
      value.includes(' ') ? fit : fit * LONE_WORD
    )
  })

/** A lone word such as "Tenant" without a colon is a label only now and then; sentences and headings begin with it too. */
function nameFit(slot: Slot, hit: LabelHit): number {
  const words = hit.to - hit.from
  if (hit.form === 'colon') return 1
  const isApart = slot.via === 'right' || (slot.segment.tokens[slot.from]?.gap ?? 0) > 0.75
  if (words > 1 && (isApart || slot.via === 'below')) return 1
  if (slot.via === 'inline' && !isApart) return words > 1 ? 0.92 : 0.65
  return slot.via === 'below' ? 0.9 : 0.95
}

/** A single word is a name less often than it is a caption or half of one. */
const LONE_WORD = 0.95

const isTitled = (name: string): boolean => name.split(' ').every(word => !/^[a-z]{4,}/.test(word))

/** A cell alone in its row goes on with the one above it: a table may give each of three lines of an address a row. */
function continuesRow({ cell: first }: Segment, { cell }: Segment, view: View): boolean {
  const [table, row, column] = first?.split('/') ?? []
  const line = [1, 2, 3].map(below => `${table}/${Number(row) + below}/`).find(start => cell === `${start}${column}`)
  if (line === undefined || column === '0') return false
  return view.sheet.segments.every(other => other.cell === cell || other.text === '' || !other.cell?.startsWith(line))
}

/** A line that stands in another cell, or right of a label of its own, is another label's value. */
export function isOfOtherRow(slot: Slot, segment: Segment, view: View): boolean {
  if (segment.cell !== slot.segment.cell && !continuesRow(slot.segment, segment, view)) return true
  return segmentsWithin(view.sheet, segment.page, segment.box[1], segment.box[3]).some(
    other =>
      other !== segment &&
      other.box[2] <= segment.box[0] + 0.005 &&
      other.box[1] < (segment.box[1] + segment.box[3]) / 2 &&
      other.box[3] > (segment.box[1] + segment.box[3]) / 2 &&
      opensWithLabel(view.labels, other)
  )
}

/** True for a line beside words that stand below the label, in its own column: another row, its label known or not. */
export function isBesideOther(slot: Slot, hit: LabelHit, segment: Segment, view: View): boolean {
  if (slot.via !== 'right') return false
  return segmentsWithin(view.sheet, segment.page, segment.box[1], segment.box[3]).some(
    other =>
      other !== segment &&
      other.text !== '' &&
      Math.abs(other.box[0] - hit.segment.box[0]) < 0.02 &&
      other.box[1] < (segment.box[1] + segment.box[3]) / 2 &&
      other.box[3] > (segment.box[1] + segment.box[3]) / 2
  )
}

function namesBelow(slot: Slot, hit: LabelHit, view: View): string[] {
  const names: string[] = []
  for (const segment of blockFrom(view.sheet, slot.segment, LIST_MOST).slice(1)) {
    const text = segment.text.replace(/^\d{1,2}[.)] /, '')
    if (
      opensWithLabel(view.labels, segment) ||
      /\d/.test(text) ||
      isOfOtherRow(slot, segment, view) ||
      isBesideOther(slot, hit, segment, view)
    )
      break
    const read = readName(text)
    if (!read || looksLikeAddress(segment.text) || segment.text.split(' ').length > 6) break
    // A street or a town without a number ends the block as well: only a line like a person's or firm's name goes on.
    if (/,/.test(segment.text) || /\b(?:p\.?o\.? box|c\/o|attn)\b/i.test(segment.text)) break
    names.push(read.name)
  }
  return names.filter(name => name.split(' ').length >= 2)
}

/** Letters that open a number (`BOP 9657 372`) may stand in a place of their own before the digits. */
const OPENING = /^[A-Z]{1,5}$/
/** How far apart the two may stand, in heights of the text. */
const APART = 1.5

/** What is left of digits before which letters stand too far off to be told to be theirs. */
const PART_FIT = 0.7

/** The slot right before a number's own that holds nothing but its opening letters. */
function openingOf(slots: readonly Slot[], slot: Slot): Slot | null {
  const before = slots[slots.indexOf(slot) - 1]
  return before?.via === 'right' && slot.via === 'right' && OPENING.test(slotText(before)) ? before : null
}

/** A policy or certificate number right after its label. */
export const numberReader: SlotReader = (slots, hit) =>
  firstOf(slots, hit, slot => {
    // `Your policy number is HX-1`
    const from = slot.segment.tokens[slot.from]?.norm === 'is' ? slot.from + 1 : slot.from
    const tokens = slot.segment.tokens.slice(from, slot.to)
    const read = readPolicyNumber(tokens)
    if (!read) return null
    const { box } = slot.segment
    const opening = openingOf(slots, slot)
    const isNear = opening !== null && box[0] - opening.segment.box[2] < (box[3] - box[1]) * APART
    const value = isNear ? `${slotText(opening)} ${read.number}` : read.number
    const fit = (tokens.length - read.used > 3 ? 0.85 : 1) * (opening && !isNear ? PART_FIT : 1)
    const to = from + read.used
    return evidenceOf({ slot, hit, from, to }, { value, status: 'found', flags: [] }, fit)
  })

/** A whole number such as an area, with its unit left out. */
export const integerReader: SlotReader = (slots, hit, view) =>
  firstOf(slots, hit, slot => {
    const text = slotText(slot)
    const match = /^(?:approx(?:imately|\.)? |about )?(\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(?![\d.,]*\d)/i.exec(text)
    if (!match?.[1]) return null
    const start = text.indexOf(match[1])
    const mention = { raw: match[1], start, end: start + match[1].length }
    const flags = /^(?:approx|about)/i.test(text) ? ['APPROXIMATE'] : []
    const reading = readInteger(match[1], view.context)
    return evidenceOf(mentionPiece(slot, hit, mention), { ...reading, flags: [...reading.flags, ...flags] }, 0.95)
  })

/** Any other text: the whole slot when it is short. */
export const textReader: SlotReader = (slots, hit) =>
  firstOf(slots, hit, slot => {
    const value = foldText(slotText(slot))
    if (value === '' || value.length > 120) return null
    return evidenceOf({ slot, hit, from: slot.from, to: slot.to }, { value, status: 'found', flags: [] }, 0.8)
  })
