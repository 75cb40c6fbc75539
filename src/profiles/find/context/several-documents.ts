import type { Json } from '../../../model/json.ts'
import { type Evidence, valueKey } from '../evidence.ts'

/** What tells documents of one kind apart. */
export interface TellingFields {
  /** Fields that one document states one way, wherever it states them. */
  readonly fields: readonly string[]
  /** At least one of these must differ: who and what a document is about. */
  readonly own: readonly string[]
}

/** Values less sure than this are not compared. */
const SURE = 0.8
/** Fields that must differ between two parts of a file before it is taken for two documents. */
const LEAST_DIFFERING = 3
/** Boundaries tried; of a longer file the first. */
const MOST_BOUNDARIES = 400

interface Found {
  readonly field: string
  readonly key: string
  readonly at: number
}

const placeOf = ({ origin }: Evidence): number | null =>
  'page' in origin ? origin.page : 'paragraph' in origin ? origin.paragraph : null

/** Names and addresses are also written in part. */
const isSame = (a: string, b: string): boolean =>
  a === b || (a.length > 5 && b.length > 5 && (a.includes(b) || b.includes(a)))

const keyOf = (value: Json): string => valueKey(value)

/** How many fields two parts of a file state, the same and otherwise. */
function compare(found: readonly Found[], boundary: number, { fields, own }: TellingFields): boolean {
  let same = 0
  let differing = 0
  let isOwn = false
  for (const field of fields) {
    const ofField = found.filter(one => one.field === field)
    const before = ofField.filter(one => one.at < boundary)
    const after = ofField.filter(one => one.at >= boundary)
    if (before.length === 0 || after.length === 0) continue
    if (before.some(one => after.some(other => isSame(one.key, other.key)))) same += 1
    else {
      differing += 1
      isOwn ||= own.includes(field)
    }
  }
  return isOwn && differing >= LEAST_DIFFERING && differing > same
}

/**
 * True when what stands before and behind one of the boundaries (pages, or paragraphs of a flowing document) says most
 * things differently, as two documents put into one file do. A copy of a document says them the same way.
 */
export function holdsSeveral(
  evidence: readonly Evidence[],
  boundaries: readonly number[],
  telling: TellingFields
): boolean {
  const found = evidence.flatMap(piece => {
    const at = placeOf(piece)
    const isTelling = telling.fields.includes(piece.field) && piece.value !== null && piece.score >= SURE
    return isTelling && at !== null ? [{ field: piece.field, key: keyOf(piece.value), at }] : []
  })
  return boundaries.slice(0, MOST_BOUNDARIES).some(boundary => compare(found, boundary, telling))
}

/** Where a second document may begin: each page after the first, or each paragraph that is written like a title. */
export function boundariesOf(
  segments: readonly { readonly page: number; readonly paragraph: number | null; readonly text: string }[],
  title: RegExp
): number[] {
  const places = segments.flatMap(({ page, paragraph, text }) => {
    if (paragraph === null) return page > 1 ? [page] : []
    return paragraph > 1 && text.length < 80 && title.test(text) ? [paragraph] : []
  })
  return [...new Set(places)]
}
