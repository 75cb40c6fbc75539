/** Hebrew, Arabic, Syriac, Thaana, N'Ko and their forms as drawn. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** Digits and Latin letters run from left to right also inside of a text that does not. */
const LEFT_TO_RIGHT = /[\p{Script=Latin}\p{Nd}]/u
/** Between digits these belong to the number. */
const IN_NUMBER = /^[.,:/%+-]$/
const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<'
}

/** True for text that is written from right to left, or holds some that is. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

/** Letters as drawn (initial, joined, final) are the same letter in writing; pairs drawn as one are two. */
const plainLetter = (text: string): string =>
  /[\ufb1d-\ufdff\ufe70-\ufefc]/.test(text) ? text.normalize('NFKC') : text

/** Parts of a list, each all left to right or all right to left, in their order. */
function runsOf(texts: readonly string[]): { readonly isTurned: boolean; readonly parts: string[] }[] {
  const runs: { isTurned: boolean; parts: string[] }[] = []
  for (const [at, text] of texts.entries()) {
    const isBetween = IN_NUMBER.test(text) && [texts[at - 1], texts[at + 1]].every(one => /^\p{Nd}/u.test(one ?? ''))
    const isTurned = !(LEFT_TO_RIGHT.test(text) || isBetween)
    const run = runs.at(-1)
    if (run?.isTurned === isTurned) run.parts.push(text)
    else runs.push({ isTurned, parts: [text] })
  }
  return runs
}

/** The text of a word that is drawn in these pieces from left to right, as it is read. */
export function readingText(pieces: readonly string[]): string {
  return runsOf(pieces)
    .toReversed()
    .flatMap(({ isTurned, parts }) =>
      isTurned ? parts.toReversed().map(part => MIRRORED[part] ?? plainLetter(part)) : parts
    )
    .join('')
}

/**
 * Words that stand beside each other from left to right, in the order they are read: a line that is mostly right to left
 * from its right end, unless it begins with a word of Latin letters, such as a label; in another one only the parts that are.
 */
export function inWritingOrder<T extends { readonly text: string }>(words: readonly T[]): readonly T[] {
  const turned = words.filter(({ text }) => isRightToLeft(text)).length
  if (turned === 0) return words
  const isWhole = turned * 2 >= words.length && !/\p{Script=Latin}/u.test(words[0]?.text ?? '')
  const ordered = isWhole ? words.toReversed() : words
  // What runs against the line as a whole is turned on its own.
  const isAgainst = (word: T): boolean => isRightToLeft(word.text) !== isWhole
  const result: T[] = []
  let run: T[] = []
  for (const word of ordered) {
    if (isAgainst(word)) {
      run.unshift(word)
      continue
    }
    result.push(...run, word)
    run = []
  }
  return [...result, ...run]
}
