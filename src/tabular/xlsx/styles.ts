import type { WorkbookParts } from './workbook.ts'
import { corrupt, readWhole, type XmlHandler } from './xml.ts'

/** How the number of a cell is meant: `zeros` is a number shown with at least that many digits. */
export type CellFormat =
  | { readonly kind: 'number' | 'date' | 'time' }
  | { readonly kind: 'zeros'; readonly digits: number }

export const NUMBER: CellFormat = { kind: 'number' }
const DATE: CellFormat = { kind: 'date' }
const TIME: CellFormat = { kind: 'time' }

const MAX_STYLES = 100_000

/** Formats that need no code, East Asian ones included: ECMA-376 part 1, 18.8.30. */
const BUILT_IN_DATES = [14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]
const BUILT_IN_TIMES = [18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56]
const BUILT_IN = new Map<number, CellFormat>([
  ...BUILT_IN_DATES.map(id => [id, DATE] as const),
  ...BUILT_IN_TIMES.map(id => [id, TIME] as const)
])

/** For each style a cell may name, how its number is meant. */
export async function readStyles(parts: WorkbookParts, part: string | null): Promise<readonly CellFormat[]> {
  if (part === null) return []
  const codes = new Map<number, CellFormat>()
  const ids: number[] = []
  let isInCells = false
  const handler: XmlHandler = {
    open(name, attributes) {
      if (name === 'cellXfs') isInCells = true
      if (codes.size > MAX_STYLES || ids.length > MAX_STYLES) throw corrupt('too many styles')
      const id = Number(attributes['numFmtId'] ?? '0')
      if (name === 'numFmt') codes.set(id, readCode(attributes['formatCode'] ?? ''))
      if (name === 'xf' && isInCells) ids.push(id)
    },
    text() {},
    close(name) {
      if (name === 'cellXfs') isInCells = false
    }
  }
  await readWhole(parts.open(part), handler)
  return ids.map(id => codes.get(id) ?? BUILT_IN.get(id) ?? NUMBER)
}

/** Quoted text, escaped and padded characters, and what brackets say of colour, locale and condition. */
const NOT_SYMBOLS = /"[^"]*"|\\.|[_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi

/** What a number format code means, told by its first section, which is that of positive numbers. */
export function readCode(code: string): CellFormat {
  const [symbols = ''] = code.replace(NOT_SYMBOLS, '').split(';', 1)
  if (/^0{2,20}$/.test(symbols)) return { kind: 'zeros', digits: symbols.length }
  if (/general/i.test(symbols) || /[#0?]/.test(symbols.replace(/s\.0+/gi, 's'))) return NUMBER
  if (/[yd]/i.test(symbols)) return DATE
  // Without an hour or a second, m is the month.
  if (/[hs]/i.test(symbols)) return TIME
  return /m/i.test(symbols) ? DATE : NUMBER
}
