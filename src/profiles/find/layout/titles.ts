import type { View } from '../view.ts'

/** A line of more words is a sentence. */
const MOST_WORDS = 10

/** The first of a document's first `lines` that is a title of this kind, from 0; infinity when there is none. */
export function titleAt(view: Pick<View, 'sheet'>, pattern: RegExp, lines: number): number {
  const at = view.sheet.segments
    .slice(0, lines)
    .findIndex(segment => segment.tokens.length <= MOST_WORDS && pattern.test(segment.text))
  return at < 0 ? Number.POSITIVE_INFINITY : at
}
