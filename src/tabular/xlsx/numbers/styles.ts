import type { WorkbookParts } from '../workbook.ts'
import { corrupt, readWhole, type XmlHandler } from '../xml.ts'
import { type CellFormat, DATE, NUMBER, PERCENT, readCode, TIME } from './number-format.ts'

const MAX_STYLES = 100_000

/** Formats that need no code, East Asian ones included: ECMA-376 part 1, 18.8.30. */
const BUILT_IN_DATES = [14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]
const BUILT_IN_TIMES = [18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56]
const BUILT_IN_PERCENTS = [9, 10]
const BUILT_IN = new Map<number, CellFormat>([
  ...BUILT_IN_PERCENTS.map(id => [id, PERCENT] as const),
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
