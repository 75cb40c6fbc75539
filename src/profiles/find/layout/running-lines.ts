import type { Segment } from './sheet.ts'

/** Rows of print at the top and at the bottom of a page that may be headers and footers. */
const MOST_ROWS = 3
/** Share of the height of a page in which they stand. */
const MARGIN = 0.15
/** On at least this share of the pages the same line must stand at the same height. */
const LEAST_SHARE = 0.5
/** Heights are compared to this share of the page. */
const HEIGHT = 0.02

/** A line as it comes again: numbers of pages differ. */
function keyOf(segment: Segment): string {
  const text = segment.text.replaceAll(/\d+/g, '#').toLowerCase()
  return `${Math.round(segment.box[1] / HEIGHT)} ${Math.round(segment.box[0] / HEIGHT)} ${text}`
}

/** The segments of the first or the last rows of a page, as far as they stand in its margin. */
function inMargin(segments: readonly Segment[], side: 'top' | 'bottom'): Segment[] {
  const isThere = ({ box }: Segment): boolean => (side === 'top' ? box[3] < MARGIN : box[1] > 1 - MARGIN)
  const near = segments.filter(isThere).toSorted((a, b) => a.box[1] - b.box[1])
  const rows: Segment[][] = []
  for (const segment of side === 'top' ? near : near.toReversed()) {
    const row = rows.at(-1)
    if (row?.[0] && Math.abs(row[0].box[1] - segment.box[1]) < HEIGHT / 2) row.push(segment)
    else rows.push([segment])
  }
  return rows.slice(0, MOST_ROWS).flat()
}

/**
 * The headers and footers of a document that stand between the parts of its sentences: lines at the same place of most of
 * its pages. A header of the first page stands before all text.
 */
export function runningLines(segments: readonly Segment[], isPaged: boolean): ReadonlySet<Segment> {
  const running = new Set<Segment>()
  const pages = Map.groupBy(segments, segment => segment.page)
  if (!isPaged || pages.size < 2) return running
  for (const side of ['top', 'bottom'] as const) {
    const byKey = Map.groupBy(
      [...pages.values()].flatMap(own => inMargin(own, side)),
      keyOf
    )
    for (const [first, ...again] of byKey.values()) {
      const isRunning = again.length > 0 && (again.length + 1) / pages.size >= LEAST_SHARE
      if (!first || !isRunning) continue
      for (const segment of again) running.add(segment)
      if (side === 'bottom') running.add(first)
    }
  }
  return running
}
