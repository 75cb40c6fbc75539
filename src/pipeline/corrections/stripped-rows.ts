import type { RawRow, RawValue } from '../../model/rows.ts'
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

/** Cells of tables are guarded against being run by a spreadsheet; members of JSON stand as they are. */
type Unguard = (text: string) => string

const asItStands: Unguard = text => text

function layoutOf(names: readonly string[], unguard: Unguard): Layout {
  const kept = new Set(sourceColumns(names))
  const at = names.flatMap((name, index) => (kept.has(name) ? [index] : []))
  return { kept: at, names: at.map(index => unguard(names[index] ?? '')), id: names.indexOf(RECORD_ID_COLUMN) }
}

/** The text by which a row names a record; what is no text names one that does not exist. */
function nameIn(value: RawValue | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value.trim() : value.json
}

/** Takes from rows of an errors file the columns it added and, from a table's, the apostrophes that guard cells. */
export function stripRows(rows: readonly RawRow[], kind: 'table' | 'json'): StrippedRow[] {
  const unguard = kind === 'table' ? unguardCell : asItStands
  const layouts = new Map<readonly string[], Layout>()
  return rows.map(row => {
    if (row.values.length === 0) return { row, named: '' }
    let layout = layouts.get(row.names)
    if (layout === undefined) {
      layout = layoutOf(row.names, unguard)
      layouts.set(row.names, layout)
    }
    const values = layout.kept.map(index => {
      const value = row.values[index] ?? null
      return typeof value === 'string' ? unguard(value) : value
    })
    return { row: { ...row, names: layout.names, values }, named: nameIn(row.values[layout.id]) }
  })
}
