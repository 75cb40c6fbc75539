import type { OcrEngine, ReadWord } from './engine.ts'
import { type GreyImage, rotate, turnQuarters } from './image/grey.ts'
import { slantOf } from './image/slant.ts'
import { weighByReadingTwice } from './read-twice.ts'

export type Quarters = 0 | 1 | 2 | 3

/** What was read of a picture once it stood upright. */
export interface UprightReading {
  /** By how many quarters, clockwise, the picture was turned to stand upright. */
  readonly quarters: Quarters
  /** Size of the upright picture, in pixels. */
  readonly width: number
  readonly height: number
  readonly words: readonly ReadWord[]
  /** Mean confidence of what was read, by letters and digits: 0 when nothing was. */
  readonly trust: number
}

/** A page that is read as surely as this stands upright. */
const SURE = 0.7
/** One that is read worse than this either way may have been taken for lying on its side. */
const DOUBTFUL = 0.6

/** How much finer a page is drawn to be read for the second time. */
const FINER = 1.35
/** What is read worse than this is doubtful enough. */
const WORTH_READING_TWICE = 0.6

/**
 * Reads a picture whichever way it lies: lines are made level, and where what is read is no language, the other ways up
 * are tried. The reading that is surest counts, and each word of it is weighed by reading the page, drawn finer, again. `draw` draws the page at so many
 * times its usual size.
 */
export async function readUpright(engine: OcrEngine, draw: (times: number) => GreyImage): Promise<UprightReading> {
  const image = draw(1)
  const slant = slantOf(image)
  if (!slant) return { quarters: 0, width: image.width, height: image.height, words: [], trust: 0 }
  const level = slant.angle === 0 ? image : rotate(image, -slant.angle)
  const ways: readonly Quarters[] = slant.sideways ? [1, 3, 0, 2] : [0, 2, 1, 3]
  let best: UprightReading | undefined
  for (const [index, quarters] of ways.entries()) {
    if (best && (best.trust >= SURE || (index >= 2 && best.trust >= DOUBTFUL))) break
    if (best && !(await isWorthReading(engine, level, { quarters, best }))) continue
    const reading = await readAt(engine, level, quarters)
    if (!best || weightOf(reading) > weightOf(best)) best = reading
  }
  if (!best || best.trust < WORTH_READING_TWICE) return best ?? readAt(engine, level, 0)
  const drawn = draw(FINER)
  const finer = turnQuarters(slant.angle === 0 ? drawn : rotate(drawn, -slant.angle), best.quarters)
  const times = finer.width / best.width
  return { ...best, words: await weighByReadingTwice(engine, best.words, { image: finer, times }) }
}

/** Pictures of fewer pixels are read whole at once. */
const LARGE = 1_500_000
/** The middle of a page, in shares of its height. */
const MIDDLE = { top: 0.3, bottom: 0.6 }

/** True unless the middle of a large page, read this way up, is no better than the whole was read the other way. */
async function isWorthReading(
  engine: OcrEngine,
  image: GreyImage,
  { quarters, best }: { readonly quarters: Quarters; readonly best: UprightReading }
): Promise<boolean> {
  if (image.width * image.height < LARGE) return true
  const [top, bottom] = [Math.floor(image.height * MIDDLE.top), Math.floor(image.height * MIDDLE.bottom)]
  const data = image.data.subarray(top * image.width, bottom * image.width)
  const { words, trust } = await readAt(engine, { width: image.width, height: bottom - top, data }, quarters)
  return words.length === 0 || trust > best.trust
}

async function readAt(engine: OcrEngine, image: GreyImage, quarters: Quarters): Promise<UprightReading> {
  const upright = turnQuarters(image, quarters)
  const words = await engine.read(upright)
  return { quarters, width: upright.width, height: upright.height, words, trust: trustIn(words) }
}

const lettersOf = ({ text }: ReadWord): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

function trustIn(words: readonly ReadWord[]): number {
  const letters = words.reduce((sum, word) => sum + lettersOf(word), 0)
  return letters === 0 ? 0 : words.reduce((sum, word) => sum + lettersOf(word) * word.confidence, 0) / letters
}

/** A few signs read with luck must not win over a page of words. */
const weightOf = ({ words, trust }: UprightReading): number =>
  trust * trust * Math.sqrt(words.reduce((sum, word) => sum + lettersOf(word), 0))
