/** Rows as aligned columns; the first row is the head. Columns of numbers are aligned to the right. */
export function textTable(rows: readonly (readonly (string | number)[])[]): string[] {
  const [head, ...body] = rows
  if (head === undefined) return []
  const widths = head.map((_, i) => Math.max(...rows.map(row => String(row[i] ?? '').length)))
  const line = (row: readonly (string | number)[]): string =>
    row
      .map((cell, i) => {
        const isNumber = typeof (body[0]?.[i] ?? '') === 'number'
        return isNumber ? String(cell).padStart(widths[i] ?? 0) : String(cell).padEnd(widths[i] ?? 0)
      })
      .join('  ')
      .trimEnd()
  return [line(head), widths.map(width => '─'.repeat(width)).join('  '), ...body.map(line)]
}

/** `███████░░░  70 %` for 0.7. */
export function progressBar(share: number, width = 24): string {
  const part = Math.min(1, Math.max(0, share))
  const full = Math.round(part * width)
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${String(Math.round(part * 100)).padStart(3)} %`
}
