import { type Segment, type Sheet, segmentsWithin } from './sheet.ts'

/** How much two spans overlap, as a share of the shorter one. */
function overlap(a0: number, a1: number, b0: number, b1: number): number {
  const shorter = Math.max(Math.min(a1 - a0, b1 - b0), 1e-9)
  return (Math.min(a1, b1) - Math.max(a0, b0)) / shorter
}

const height = (segment: Segment): number => Math.max(segment.box[3] - segment.box[1], 0.004)

/** Segments on the same base line, to the right, nearest first. `from` is where the label itself ends. */
export function rightOf(sheet: Sheet, segment: Segment, from = segment.box[2]): Segment[] {
  return segmentsWithin(sheet, segment.page, segment.box[1], segment.box[3])
    .filter(
      other =>
        other !== segment &&
        other.box[0] >= from - 0.005 &&
        overlap(segment.box[1], segment.box[3], other.box[1], other.box[3]) > 0.5
    )
    .toSorted((a, b) => a.box[0] - b.box[0])
}

/** Lines a value may stand below its label, in line heights of the label. */
const REACH_BELOW = 3.2

/** Cells of two tables stand in no column of one another, though their widths may say so. */
function isOneTable({ cell }: Segment, { cell: other }: Segment): boolean {
  return cell === null || other === null || cell.split('/')[0] === other.split('/')[0]
}

/** Segments below in the same column, nearest first. `left` and `right` bound the label within its segment. */
export function belowOf(sheet: Sheet, segment: Segment, left = segment.box[0], right = segment.box[2]): Segment[] {
  const limit = segment.box[3] + height(segment) * REACH_BELOW
  return segmentsWithin(sheet, segment.page, segment.box[3] - height(segment), limit)
    .filter(
      other =>
        other !== segment &&
        isOneTable(segment, other) &&
        other.box[1] >= segment.box[3] - height(segment) * 0.45 &&
        other.box[1] <= limit &&
        inColumn(other, left, right)
    )
    .toSorted((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0])
}

function inColumn(other: Segment, left: number, right: number): boolean {
  // A value is often indented under its label.
  const aligned = other.box[0] > left - 0.02 && other.box[0] < Math.max(left + 0.06, right + 0.02)
  const centre = (other.box[0] + other.box[2]) / 2
  return (
    aligned || (overlap(left, right, other.box[0], other.box[2]) > 0.3 && centre > left - 0.02 && other.box[0] < right)
  )
}

/** The lines that continue `segment` downwards in its own column without a break: an address block, a list of names. */
export function blockFrom(sheet: Sheet, segment: Segment, most: number): Segment[] {
  const block = [segment]
  let current = segment
  while (block.length < most) {
    const next = belowOf(sheet, current).find(
      other => Math.abs(other.box[0] - segment.box[0]) < 0.015 && other.box[1] - current.box[3] < height(current) * 1.1
    )
    if (!next) break
    block.push(next)
    current = next
  }
  return block
}
