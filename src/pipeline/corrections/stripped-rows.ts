import type { RawRow } from '../../model/rows.ts'
import { unguardCell } from '../../tabular/write/formula-guard.ts'
import { RECORD_ID_COLUMN, sourceColumns } from './own-columns.ts'

/** A row of an errors file as its source would have it, and what it names. */
export interface StrippedRow {
  readonly row: RawRow
  /** The cell as sent; empty for a row that was added, or that could not be cut into cells. */
  readonly named: string
}

interface Layout {
  readonly names: readonly string[]
  readonly kept: readonly number[]
  readonly id: number
}

function layoutOf(names: readonly string[]): Layout {
  const kept = new Set(sourceColumns(names))
  const at = names.flatMap((name, index) => (kept.has(name) ? [index] : []))
  return { kept: at, names: at.map(index => unguardCell(names[index] ?? '')), id: names.indexOf(RECORD_ID_COLUMN) }
}

/** Takes from rows of an errors file the columns it added and the apostrophes that guard cells. */
export function stripRows(rows: readonly RawRow[]): StrippedRow[] {
  const layouts = new Map<readonly string[], Layout>()
  return rows.map(row => {
    if (row.values.length === 0) return { row, named: '' }
    let layout = layouts.get(row.names)
    if (layout === undefined) {
      layout = layoutOf(row.names)
      layouts.set(row.names, layout)
    }
    const values = layout.kept.map(index => {
      const value = row.values[index] ?? null
      return typeof value === 'string' ? unguardCell(value) : value
    })
    const named = row.values[layout.id]
    return { row: { ...row, names: layout.names, values }, named: typeof named === 'string' ? named.trim() : '' }
  })
}
