import { normWord, type Token, unionOf } from './token.ts'

/** A gap smaller than this share of the usual one between words lies inside a word. */
const INSIDE = 0.4
/** No gap wider than this, in heights of the text, is taken for one inside a word. */
const WIDEST = 0.16
/** Touching words are one word only where one of them cannot stand alone. */
const TOUCHING = 0.05
const AMOUNT = /^[$£€]?(?:\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d+\.\d{2})$/

/** The usual gap between whole words of a page: the median over neighbours of three letters or more; 0 when there are few. */
export function wordGapOf(lines: readonly (readonly Token[])[]): number {
  const gaps = lines.flatMap(tokens =>
    tokens.flatMap((token, at) => {
      const before = tokens[at - 1]
      const isWord = before !== undefined && before.text.length > 2 && token.text.length > 2
      return isWord && token.gap > 0.1 && token.gap < 1 ? [token.gap] : []
    })
  )
  return gaps.length < 5 ? 0 : (gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 0)
}

function isOneWord(left: Token, right: Token, wordGap: number): boolean {
  // Two whole amounts that touch are two columns.
  if (AMOUNT.test(left.text) && AMOUNT.test(right.text)) return false
  if (/[:;]$/.test(left.text) && !/\d:$/.test(left.text)) return false
  const joined = left.text + right.text
  if (right.gap < TOUCHING) return /\d$/.test(left.text) && /^[\d,.]/.test(right.text)
  if (/^[$£€]?\d[\d,]*\.\d$/.test(left.text) && /^\d$/.test(right.text) && right.gap < WIDEST)
    return AMOUNT.test(joined)
  return wordGap > 0 && right.gap < Math.min(wordGap * INSIDE, WIDEST)
}

/** Puts words together that the text layer of a page broke into pieces: `$3,6` `87.25`, `2 0 2 2`, `w ith`. */
export function mendSplits(tokens: readonly Token[], wordGap: number): Token[] {
  const mended: Token[] = []
  for (const token of tokens) {
    const last = mended.at(-1)
    if (last && isOneWord(last, token, wordGap)) {
      const text = last.text + token.text
      mended[mended.length - 1] = { ...last, text, norm: normWord(text), box: unionOf([last.box, token.box]) }
    } else mended.push(token)
  }
  return mended
}
