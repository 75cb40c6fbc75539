import type { Box, Line, Page } from '../document-text.ts'
import type { Table, TableCell, TableRow } from './table.ts'

/** A table, or the part of one that stands on one page. */
export interface PageTable extends Pick<Table, 'columns'> {
  readonly kind: 'ruled' | 'aligned'
  readonly page: number
  readonly box: Box
  readonly rows: readonly TableRow[]
  /** Where each column begins and ends, as shares of the width. */
  readonly spans: readonly (readonly [number, number])[]
}

export const middleOf = (box: Box): number => (box[1] + box[3]) / 2

/** The box around boxes; the zero box for none. */
export function around(boxes: readonly Box[]): Box {
  const edges = [0, 1, 2, 3].map(at => boxes.map(box => box[at] ?? 0))
  const [left = [], top = [], right = [], bottom = []] = edges
  return boxes.length === 0
    ? [0, 0, 0, 0]
    : [Math.min(...left), Math.min(...top), Math.max(...right), Math.max(...bottom)]
}

/** Lines level with one another, from the top down; each row from left to right. */
export function levelRows(lines: readonly Line[]): Line[][] {
  const rows: Line[][] = []
  for (const line of lines.toSorted((one, other) => middleOf(one.box) - middleOf(other.box))) {
    const first = rows.at(-1)?.[0]
    if (first && middleOf(line.box) < first.box[3] && line.box[1] < middleOf(first.box)) rows.at(-1)?.push(line)
    else rows.push([line])
  }
  return rows.map(row => row.toSorted((one, other) => one.box[0] - other.box[0]))
}

/** A cell of the lines that stand in it. */
export function cellOf(
  page: Page,
  place: Pick<TableCell, 'row' | 'column' | 'rowSpan' | 'columnSpan'>,
  lines: readonly Line[]
): TableCell {
  const words = lines.flatMap(line => line.words)
  return {
    ...place,
    text: lines.map(line => line.text).join(' '),
    bold: words.length > 0 && words.every(word => word.bold),
    page: page.number,
    box: around(lines.map(line => line.box)),
    paragraph: null
  }
}
