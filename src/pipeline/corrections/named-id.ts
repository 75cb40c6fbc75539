const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The id in a cell, or null for text that is none. */
export function idOf(cell: string): string | null {
  const id = cell.trim().toLowerCase()
  return ID.test(id) ? id : null
}
