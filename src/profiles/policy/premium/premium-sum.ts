import type { Envelope, Origin } from '../../../model/envelope.ts'
import type { Json } from '../../../model/json.ts'
import { type Reason, reasonOf } from '../../../model/reasons.ts'
import { sumAmounts, sumMatches } from '../../../normalize/amounts/sums.ts'
import type { Evidence } from '../../find/evidence.ts'
import { type Segment, segmentsWithin } from '../../find/layout/sheet.ts'
import type { View } from '../../find/view.ts'
import { type Figure, figuresOf, isOneColumn, rightGap } from './premium-figures.ts'

/** Rows above a total that are looked at in search of its parts. */
const MOST_ROWS = 40

/** Segments on one base line. */
interface Row {
  readonly segments: readonly Segment[]
  readonly top: number
  readonly bottom: number
}

const middle = (segment: Segment): number => (segment.box[1] + segment.box[3]) / 2

/** The rows above a figure on its page, nearest first. */
function rowsAbove(view: View, { segment }: Figure): Row[] {
  const above = view.sheet.segments
    .filter(other => other.page === segment.page && other.text !== '' && middle(other) < segment.box[1])
    .toSorted((a, b) => middle(b) - middle(a))
  const rows: Segment[][] = []
  for (const other of above) {
    const first = rows.at(-1)?.[0]
    if (first && middle(first) - middle(other) < (first.box[3] - first.box[1]) / 2) rows.at(-1)?.push(other)
    else if (rows.length === MOST_ROWS) break
    else rows.push([other])
  }
  return rows.map(segments => ({
    segments: segments.toSorted((a, b) => a.box[0] - b.box[0]),
    top: Math.min(...segments.map(one => one.box[1])),
    bottom: Math.max(...segments.map(one => one.box[3]))
  }))
}

/** The amounts printed above a total that it is made of. */
export interface Parts {
  readonly amounts: readonly string[]
  /** True when nothing else can belong to the list: every row has its amount, and a heading or the kind of rows bounds it. */
  readonly isWhole: boolean
}

const NO_PARTS: Parts = { amounts: [], isWhole: false }

/** Rows of an amended declaration that tell what the premium was, or by how much it changed: no part of what it is. */
const isBeside = (label: string): boolean =>
  /^(?:prior|previous|expiring|last|old|former)\b|\b(?:change in|changed by|difference|premium change)\b/i.test(label)

/** Words of a row that is a part of a premium whatever stands above the list. */
const PART = /\b(?:premiums?|fees?|tax(?:es)?|surcharges?|assessments?|terrorism|tria|stamping)\b/i
/** Rows that hold sums or other quantities: a list with one of them adds up in ways not known here. */
const NO_PART =
  /\b(?:total|sub-?total|discounts?|credits?|savings?|limits?|deductibles?|deposit|monthly|instal+ments?|down payment|per|due|paid|balance|previous|prior|minimum|earned|return|refund|optional|elected|reporting)\b/i
/** What stands in the column of a part that costs nothing of its own. */
const NOTHING = /^(?:incl(?:uded|\.)?|n\/?a|nil|none|no charge|waived|-+|–|—)$/i
const COLUMN_HEADING = /\bpremiums?\b|^(?:amount|charge|cost)s?$/i
/** A list goes on as long as its rows are no further apart than this, in heights of a row. */
const REACH = 2.4

function labelOf(row: Row, figure: Figure): string {
  if (figure.lead !== '') return figure.lead
  return row.segments
    .filter(segment => segment.box[2] < figure.box[0] + 0.005)
    .map(segment => segment.text)
    .join(' ')
}

type RowReading = { readonly kind: 'part'; readonly figure: Figure; readonly label: string } | { readonly kind: Other }
type Other = 'nothing' | 'heading' | 'other'

function readRow(row: Row, total: Figure, figures: ReadonlyMap<Segment, readonly Figure[]>): RowReading {
  const [figure] = row.segments
    .flatMap(segment => figures.get(segment) ?? [])
    .filter(other => isOneColumn(other, total))
    .toSorted((a, b) => rightGap(a, total) - rightGap(b, total))
  if (figure) return { kind: 'part', figure, label: labelOf(row, figure) }
  const cell = row.segments.find(segment => segment.box[0] < total.box[2] && segment.box[2] > total.box[0])?.text ?? ''
  if (NOTHING.test(cell)) return { kind: 'nothing' }
  return { kind: COLUMN_HEADING.test(cell) && !/\d/.test(cell) ? 'heading' : 'other' }
}

/** `Total premium each auto` over `Total premium for all autos` of one auto: the same sum again, no part of it. */
const isSameTotal = ({ figure, label }: { figure: Figure; label: string }, total: Figure): boolean =>
  figure.amount === total.amount && /\btotal\b/i.test(label)

/** The list of parts right above a total, as far as it goes on without a break. */
export function partsAbove(view: View, total: Figure, figures: readonly Figure[]): Parts {
  const bySegment = Map.groupBy(figures, figure => figure.segment)
  const amounts: string[] = []
  const labels: string[] = []
  let below = total.segment.box[1]
  let isHeaded = false
  for (const row of rowsAbove(view, total)) {
    if (below - row.bottom > (row.bottom - row.top) * REACH) break
    const reading = readRow(row, total, bySegment)
    isHeaded = reading.kind === 'heading'
    if (reading.kind === 'other' || isHeaded) break
    if (reading.kind === 'part' && !isBeside(reading.label) && !isSameTotal(reading, total)) {
      amounts.push(reading.figure.amount)
      labels.push(reading.label)
    }
    below = row.top
  }
  const parts = isHeaded ? headed(amounts, labels) : unheaded(amounts, labels)
  return { ...parts, isWhole: parts.isWhole && (labels.some(isCharge) || !isCharge(rowLabel(view, total))) }
}

/** True for the name of a tax, a fee or another charge. */
export const isCharge = (label: string): boolean => /\b(?:fees?|tax(?:es)?|surcharges?|assessments?)\b/i.test(label)

/** What stands on the base line of a figure. */
function rowOf(view: View, { segment }: Figure): Row {
  const [top, bottom] = [segment.box[1], segment.box[3]]
  const segments = segmentsWithin(view.sheet, segment.page, top, bottom).filter(
    other => middle(other) > top && middle(other) < bottom
  )
  return { segments, top, bottom }
}

/** The words of a figure's own row before it. A total that says it includes fees or taxes is more than parts without any. */
export const rowLabel = (view: View, figure: Figure): string => labelOf(rowOf(view, figure), figure)

/** Where the row of a figure begins, when it is the row's only amount; null when there are others. */
export function listStart(
  view: View,
  figure: Figure,
  bySegment: ReadonlyMap<Segment, readonly Figure[]>
): number | null {
  const { segments } = rowOf(view, figure)
  const amounts = segments.reduce((sum, segment) => sum + (bySegment.get(segment)?.length ?? 0), 0)
  return amounts > 1 ? null : Math.min(...segments.map(segment => segment.box[0]))
}

/** A column under a heading is whole when every amount has its name and none is a sum. */
function headed(amounts: readonly string[], labels: readonly string[]): Parts {
  const isPlain = labels.every(label => /\p{L}{2}/u.test(label) && !NO_PART.test(label))
  return { amounts, isWhole: amounts.length > 1 && isPlain }
}

/** Without a heading only rows that name premiums, fees and taxes count, one of them the premium itself. */
function unheaded(amounts: readonly string[], labels: readonly string[]): Parts {
  const end = labels.findIndex(label => !PART.test(label))
  const own = end < 0 ? labels : labels.slice(0, end)
  if (own.length < 2) return NO_PARTS
  const isPlain = own.some(label => /\bpremium\b/i.test(label)) && own.every(label => !NO_PART.test(label))
  return { amounts: amounts.slice(0, own.length), isWhole: isPlain }
}

/** True when the last parts, two or more, add up: what stands above them belongs to another list. */
function addsUp(amounts: readonly string[], total: string): boolean {
  return amounts.some((_, at) => at > 0 && sumMatches(amounts.slice(0, at + 1), total))
}

function sameOrigin(a: Origin, b: Origin): boolean {
  if ('bbox' in a && 'bbox' in b) return a.page === b.page && a.bbox.every((edge, at) => edge === b.bbox[at])
  return 'paragraph' in a && 'paragraph' in b && a.paragraph === b.paragraph
}

const figureOf = (figures: readonly Figure[], value: Json, origin: Origin): Figure | undefined =>
  figures.find(figure => figure.amount === value && sameOrigin(figure.origin, origin))

/** A total that its parts do not make, and what they make: a correction is held against that. */
export interface SumDoubt {
  readonly reason: Reason
  readonly envelope: Envelope
}

/** A whole list of parts above the total that does not add up to it holds the record. */
export function sumDoubt(total: Envelope | undefined, view: View): SumDoubt | null {
  if (typeof total?.value !== 'string' || !total.origin) return null
  const figures = figuresOf(view)
  const figure = figureOf(figures, total.value, total.origin)
  if (!figure) return null
  const { amounts, isWhole } = partsAbove(view, figure, figures)
  if (!isWhole || addsUp(amounts, total.value)) return null
  const detail = `${amounts.length} parts`
  return {
    reason: reasonOf('PREMIUM_SUM_MISMATCH', { field: 'premium_total', origin: total.origin, detail }),
    envelope: { ...total, readings: [total.value, sumAmounts(amounts)] }
  }
}

/** What a total gains when its parts add up to it; the floor makes a weakly labelled total strong. */
const ADDED_UP = 0.08
const ADDED_UP_LEAST = 0.9
/** What a total loses that is one of the parts of another. */
const PART_LOSS = 0.2
/** What a total loses above which parts are printed that do not make it. */
const CONTRADICTED = 0.08

/** A bare "Total" is the total of whatever stands above it; the policy's when no amount but its own parts is called one. */
const BARE_LEAST = 0.88

function leastFor(piece: Evidence, totals: readonly Evidence[]): number {
  if (!/^(?:Total|Premium)\//.test(piece.via)) return ADDED_UP_LEAST
  return totals.every(other => other.value === piece.value) ? BARE_LEAST : 0
}

/** The figures right above a total in its own column, two or more, that add up to it; none when none do. */
function addends(total: Figure, figures: readonly Figure[], view: View): readonly Figure[] {
  if (/^-|^0(?:\.0+)?$/.test(total.amount)) return []
  const above = figures
    .filter(
      figure =>
        figure.segment.page === total.segment.page && figure.box[1] < total.box[1] - 0.002 && isOneColumn(figure, total)
    )
    .toSorted((a, b) => b.box[1] - a.box[1])
    .slice(0, MOST_ROWS)
    .filter(figure => {
      const label = rowLabel(view, figure)
      return !isBeside(label) && !isSameTotal({ figure, label }, total)
    })
  const end = above.findIndex(
    (_, at) =>
      at > 0 &&
      sumMatches(
        above.slice(0, at + 1).map(figure => figure.amount),
        total.amount
      )
  )
  return end < 0 ? [] : above.slice(0, end + 1)
}

/** Of at least three amounts called premiums, the one that is the sum of all others is their total, and they are its parts. */
function sumOfOthers(evidence: readonly Evidence[]): Evidence[] {
  const totals = evidence.filter(piece => piece.field === 'premium_total' && typeof piece.value === 'string')
  const amounts = [...new Set(totals.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])))]
  const total = amounts.find(amount => {
    const others = amounts.filter(other => other !== amount)
    return others.length > 1 && sumMatches(others, amount)
  })
  if (total === undefined) return [...evidence]
  return evidence.map(piece => {
    if (!totals.includes(piece)) return piece
    if (piece.value !== total) return { ...piece, score: piece.score - PART_LOSS }
    return { ...piece, score: Math.max(piece.score, ADDED_UP_LEAST), flags: [...piece.flags, 'PARTS_ADD_UP'] }
  })
}

/** Marks the totals whose parts, printed above them, add up, and those whose parts do not. */
export function corroborateBySum(all: readonly Evidence[], view: View): Evidence[] {
  const evidence = sumOfOthers(all)
  const totals = evidence.filter(piece => piece.field === 'premium_total' && piece.value !== null)
  if (totals.length === 0) return [...evidence]
  const figures = figuresOf(view)
  const places = new Map(totals.map(total => [total, figureOf(figures, total.value, total.origin)]))
  const parts = new Map([...places].map(([total, place]) => [total, place ? addends(place, figures, view) : []]))
  const inside = new Set([...parts.values()].flat().map(figure => figure.amount))
  return evidence.map(piece => {
    const own = parts.get(piece)
    if (own === undefined || typeof piece.value !== 'string') return piece
    if (inside.has(piece.value)) return { ...piece, score: piece.score - PART_LOSS }
    if (own.length > 0) {
      const rivals = totals.filter(other => typeof other.value !== 'string' || !inside.has(other.value))
      const score = Math.min(1, Math.max(piece.score + ADDED_UP, leastFor(piece, rivals)))
      return { ...piece, score, flags: [...piece.flags, 'PARTS_ADD_UP'] }
    }
    const place = places.get(piece)
    const { amounts } = place ? partsAbove(view, place, figures) : NO_PARTS
    if (amounts.length < 2) return piece
    return { ...piece, score: piece.score - CONTRADICTED, flags: [...piece.flags, 'PARTS_DO_NOT_ADD_UP'] }
  })
}
