import type { Reading } from '../../model/reading.ts'
import { readArea } from '../../normalize/amounts/area.ts'
import { isPlainInteger, readDecimal } from '../../normalize/number.ts'
import { found } from '../../normalize/outcome.ts'
import type { ReadContext } from '../profile.ts'

/**
 * A floor area in square feet as decimal text. Areas are whole in nearly all files, so that `2,140` is 2140 as it would be
 * in a column of counts; one with a fraction of a foot is kept with it.
 */
export function readFloorArea(raw: string, context: ReadContext): Reading<string> {
  if (isPlainInteger(raw)) return found(raw)
  const { value, readings, ...reading } = readArea(raw, context)
  if (value !== null) return { ...reading, value: String(value) }
  if (reading.flags.includes('NOT_INTEGER')) return readDecimal(raw, context)
  return { ...reading, value: null, ...(readings === undefined ? {} : { readings: readings.map(String) }) }
}
