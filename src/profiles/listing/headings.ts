import { foldColumnName } from '../fold-column-name.ts'
import type { Profile } from '../profile.ts'
import { useOfColumn } from '../tabular/column-index.ts'
import { joined, type ListingRow, type Piece } from './listing-row.ts'

/** What a listing is made of: the field that every row has its own of, and headings that only a listing gives a meaning. */
export interface ListingPlan {
  readonly identifier: string
  /** Heading → field, where the profile's own column names do not say it. */
  readonly headings: Readonly<Record<string, string>>
}

/** One heading of a table: a column of it, and the field it names if any. */
export interface Heading extends Piece {
  readonly field: string | null
}

/** Which field a heading names. */
export type FieldOf = (text: string) => string | null

/** Words of the longest heading that is a known name. */
const MOST_WORDS = 6
/** Known headings without which a row is no head of a table of records, and their least share of all its headings. */
const LEAST_KNOWN = 3
const LEAST_SHARE = 0.6
/** Rows that one head may take. */
const MOST_STACKED = 3

/** Makes the function that knows headings: the profile's own column names first, then those of listings. */
export function headingReader(profile: Profile, plan: ListingPlan): FieldOf {
  const own = new Map(Object.entries(plan.headings).map(([name, field]) => [foldColumnName(name), field]))
  return text => {
    const folded = foldColumnName(text)
    if (folded === '' || /\d{3}/.test(folded)) return null
    const use = useOfColumn(profile, text)
    return (
      use.own?.field.name ??
      own.get(folded) ??
      use.fallbacks[0]?.field.name ??
      (use.hints.length === 1 ? use.hints[0]?.name : null) ??
      null
    )
  }
}

/** A piece that holds several known names without a gap between them, as those; any other as it is. */
function splitPiece(words: readonly Piece[], fieldOf: FieldOf): Heading[] {
  const headings: Heading[] = []
  for (let at = 0; at < words.length; ) {
    let length = Math.min(MOST_WORDS, words.length - at)
    let found: Heading | null = null
    for (; length > 0 && !found; length -= 1) {
      const [first, ...rest] = words.slice(at, at + length)
      if (!first) break
      const whole = joined([first, ...rest])
      const field = fieldOf(whole.text)
      if (field !== null) found = { ...whole, field }
    }
    if (!found) return []
    headings.push(found)
    at += length + 1
  }
  return headings
}

function headingsOf(row: ListingRow, fieldOf: FieldOf): Heading[] {
  return row.pieces.flatMap((piece): Heading[] => {
    const field = fieldOf(piece.text)
    if (field !== null) return [{ ...piece, field }]
    const inside = row.words.filter(word => word.left >= piece.left && word.right <= piece.right)
    const parts = inside.length > 1 ? splitPiece(inside, fieldOf) : []
    return parts.length > 0 ? parts : [{ ...piece, field: null }]
  })
}

/** Rows below one another as one, pieces that stand above each other put together. */
function stacked(rows: readonly ListingRow[]): ListingRow {
  const columns: [Piece, ...Piece[]][] = []
  for (const piece of rows.flatMap(row => row.pieces)) {
    const column = columns.find(parts => parts.some(part => part.left < piece.right && piece.left < part.right))
    if (column) column.push(piece)
    else columns.push([piece])
  }
  const pieces = columns.map(parts => ({
    ...joined(parts),
    left: Math.min(...parts.map(part => part.left))
  }))
  const first = rows[0]
  return {
    page: first?.page ?? 0,
    top: first?.top ?? 0,
    bottom: rows.at(-1)?.bottom ?? 0,
    words: pieces,
    pieces: pieces.toSorted((a, b) => a.left - b.left)
  }
}

/** The head of a table, and how many rows it takes. */
export interface Head {
  readonly headings: readonly Heading[]
  readonly rows: number
  /** It names what every record has its own of. */
  readonly isOfRecords: boolean
}

function headOf(row: ListingRow, rows: number, fieldOf: FieldOf, plan: ListingPlan): Head | null {
  const headings = headingsOf(row, fieldOf)
  const known = new Set(headings.flatMap(heading => heading.field ?? []))
  if (known.size < 2 || headings.some(heading => /^\W*\d[\d.,/-]*$/.test(heading.text))) return null
  const isOfRecords =
    known.size >= LEAST_KNOWN && known.has(plan.identifier) && known.size >= LEAST_SHARE * headings.length
  return { headings, rows, isOfRecords }
}

/** The head that begins at a row: of records, or of another table; null when none does. */
export function headAt(rows: readonly ListingRow[], at: number, fieldOf: FieldOf, plan: ListingPlan): Head | null {
  const first = rows[at]
  if (!first) return null
  const single = headOf(first, 1, fieldOf, plan)
  if (single?.isOfRecords) {
    const unknown = single.headings.filter(heading => heading.field === null).length
    if (unknown === 0) return single
  }
  let best = single
  for (let count = 2; count <= MOST_STACKED; count += 1) {
    const own = rows.slice(at, at + count)
    const last = own.at(-1)
    const before = own.at(-2)
    if (!last || !before || last.page !== first.page) break
    if (last.top - before.bottom > (last.bottom - last.top) * 0.8) break
    const head = headOf(stacked(own), count, fieldOf, plan)
    // A head that stands whole in one of the rows has only a title above it.
    const inOne = Math.max(...own.map(row => knownIn(headOf(row, 1, fieldOf, plan))))
    if (head?.isOfRecords && knownIn(head) > Math.max(inOne, best?.isOfRecords ? knownIn(best) : 0)) best = head
  }
  return best
}

const knownIn = (head: Head | null): number => new Set(head?.headings.flatMap(heading => heading.field ?? [])).size
