import type { Origin } from '../../../model/envelope.ts'
import { runningLines } from './running-lines.ts'
import { originOf, type Segment, type Sheet } from './sheet.ts'

/** The whole document as one running text with single spaces, and the way back to places. */
export interface Prose {
  readonly text: string
  /** Start offset of each segment in `text`, ascending. */
  readonly starts: readonly number[]
  readonly segments: readonly Segment[]
}

/**
 * Joins the segments of a document in reading order. Sentences run on from page to page: headers and footers stand behind
 * everything else, but for those that the document begins with. A hyphen at the end of a line stays: it may be part of a word.
 */
export function proseOf(sheet: Sheet): Prose {
  const running = runningLines(sheet.segments, sheet.paged)
  const isRunning = (segment: Segment): boolean => running.has(segment)
  const inOrder =
    running.size === 0
      ? sheet.segments
      : [...sheet.segments.filter(segment => !isRunning(segment)), ...sheet.segments.filter(isRunning)]
  const parts: string[] = []
  const starts: number[] = []
  const segments: Segment[] = []
  let length = 0
  for (const segment of inOrder) {
    if (segment.text === '') continue
    const previous = segments.at(-1)
    const joint = previous === undefined ? '' : isRunning(segment) || isBesides(previous, segment) ? BREAK : ' '
    starts.push(length + joint.length)
    segments.push(segment)
    parts.push(joint, segment.text)
    length += joint.length + segment.text.length
  }
  return { text: parts.join(''), starts, segments }
}

/** Stands between texts of two columns or cells, so that no sentence runs from one into the other. */
const BREAK = ' ; '

/** True for a segment in another column or cell than the one before it, not a line below it. */
function isBesides(previous: Segment, segment: Segment): boolean {
  if (previous.cell !== segment.cell) return true
  if (previous.page !== segment.page) return false
  const isLower = segment.box[1] > (previous.box[1] + previous.box[3]) / 2
  return !isLower || segment.box[0] > previous.box[2] - 0.01
}

/** The position in `starts` of the segment that covers an offset. */
export function segmentAt(prose: Prose, offset: number): number {
  let low = 0
  let high = prose.starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((prose.starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** Where a piece of the running text stands: the words of it that lie on the line where it starts. */
export function originAt(prose: Prose, start: number, end: number): Origin | null {
  const at = segmentAt(prose, start)
  const segment = prose.segments[at]
  if (!segment) return null
  let offset = prose.starts[at] ?? 0
  let from = -1
  let to = 0
  for (const [index, token] of segment.tokens.entries()) {
    const next = offset + token.text.length
    if (next > start && offset < end) {
      if (from < 0) from = index
      to = index + 1
    }
    offset = next + 1
  }
  return originOf(segment, Math.max(from, 0), to)
}
