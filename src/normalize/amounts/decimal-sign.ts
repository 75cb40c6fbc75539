import type { ReadingContext } from '../../model/reading.ts'

/** The decimal sign the context proves; a JSON number always has a point. */
export function decimalSignOf(context: ReadingContext): '.' | ',' | undefined {
  return context.source === 'json' ? '.' : context.decimal
}
