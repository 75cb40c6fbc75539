import type { OcrEngine, ReadWord } from './engine.ts'
import type { GreyImage } from './image/grey.ts'

/**
 * An engine's own estimate says little about single characters: a date with a wrong digit has been read as surely as a
 * right one. The same page drawn finer is another picture to it, in which it errs elsewhere. Words that it reads alike in
 * both are as sure as it says; of the others one reading at least is wrong.
 */
const READ_OTHERWISE = 0.5
/** What was not read again is not surer than this. */
const READ_ONCE = 0.85

/** Running text without figures is not read again: it takes the most time, and no field rests on it alone. */
const RUNNING_WORDS = 10
const WHITE = 255

/** Weighs what was read of an upright picture by reading a finer picture of the same page, `times` as large. */
export async function weighByReadingTwice(
  engine: OcrEngine,
  words: readonly ReadWord[],
  finer: { readonly image: GreyImage; readonly times: number }
): Promise<ReadWord[]> {
  const lines = [...Map.groupBy(words, word => word.line).values()]
  const running = new Set(lines.filter(isRunningText).flat())
  const again = await engine.read(withoutWords(finer.image, [...running], finer.times))
  const at = byPlace(again, finer.times)
  return words.map(word => {
    if (running.has(word)) return { ...word, confidence: Math.min(word.confidence, READ_ONCE) }
    const other = at(word)
    if (other && coreOf(other.text) === coreOf(word.text)) {
      return { ...word, confidence: Math.min(word.confidence, other.confidence) }
    }
    const surer = other && other.confidence > word.confidence && isOfOneSize(word, other, finer.times) ? other : word
    return { ...word, text: surer.text, confidence: Math.min(surer.confidence, READ_OTHERWISE) }
  })
}

const isRunningText = (line: readonly ReadWord[]): boolean =>
  line.length >= RUNNING_WORDS && !line.some(word => /\d/.test(word.text))

/** Signs at the ends of words come and go with specks; they belong to no value. */
const coreOf = (text: string): string =>
  text.replace(/^[^\p{L}\p{N}$€£(-]+|(?<![^\p{L}\p{N}%)])[^\p{L}\p{N}%)]+$/gu, '')

/** A word that was read as two, or with its neighbour, is not put in another's place. */
function isOfOneSize(word: ReadWord, other: ReadWord, times: number): boolean {
  const width = word.right - word.left
  return Math.abs((other.right - other.left) / times - width) < 0.1 * width
}

/** Finds the word of the finer picture that a word's middle lies in. */
function byPlace(words: readonly ReadWord[], times: number): (word: ReadWord) => ReadWord | undefined {
  return ({ left, right, top, bottom }) => {
    const [x, y] = [((left + right) / 2) * times, ((top + bottom) / 2) * times]
    return words.find(word => x >= word.left && x <= word.right && y >= word.top && y <= word.bottom)
  }
}

function withoutWords(image: GreyImage, words: readonly ReadWord[], times: number): GreyImage {
  if (words.length === 0) return image
  const data = image.data.slice()
  for (const word of words) {
    const [left, right] = [Math.floor(word.left * times), Math.min(image.width, Math.ceil(word.right * times))]
    const lowest = Math.min(image.height, Math.ceil(word.bottom * times))
    for (let y = Math.floor(word.top * times); y < lowest; y++)
      data.fill(WHITE, y * image.width + left, y * image.width + right)
  }
  return { ...image, data }
}
