import type { SampleRow } from './sample.ts'

/** Rows that must agree before empty cells behind the last column count as the file's habit. */
const LEAST_ROWS = 2

/**
 * The numbers of cells above `columns` that rows of the file may have, all beyond the columns being empty: as many as the
 * header has, or as more than half of the sampled rows below it. One row that differs from the others is not a habit: an
 * unquoted delimiter in a cell together with an empty last cell looks the same.
 */
export function paddedWidths(columns: number, header: SampleRow | null, rows: readonly SampleRow[]): number[] {
  const below = rows.filter(row => !row.isFaulty && (header === null || row.start > header.start))
  const counts = new Map<number, number>()
  for (const { cells } of below) {
    const isPadded = cells.length > columns && cells.slice(columns).every(cell => cell === '')
    if (isPadded) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  }
  const widths = new Set<number>()
  if (header !== null && header.cells.length > columns) widths.add(header.cells.length)
  for (const [width, count] of counts) if (count >= LEAST_ROWS && count * 2 > below.length) widths.add(width)
  return [...widths]
}
