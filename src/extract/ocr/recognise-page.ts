import type { Box, Line, Page } from '../../model/document-text.ts'
import { turnLine } from '../pdf/layout/turned-page.ts'
import type { OcrEngine, ReadWord } from './engine.ts'
import type { GreyImage } from './image/grey.ts'
import { layOutWords } from './lay-out-words.ts'
import { readUpright } from './read-upright.ts'
import { isGarbled } from './unread-pages.ts'

/** What is read of a picture less surely than this on the whole is no text: a photograph, a hand, a drawing. */
const LEGIBLE = 0.4

/** Words that stand on the page as text are not wanted once more as the picture shows them. */
function besides(
  words: readonly ReadWord[],
  written: readonly Line[],
  size: { width: number; height: number }
): ReadWord[] {
  const boxes = written.flatMap(line => line.words.map(word => word.box))
  return words.filter(({ left, right, top, bottom }) => {
    const box: Box = [left / size.width, top / size.height, right / size.width, bottom / size.height]
    return !boxes.some(other => holdsMiddle(other, box))
  })
}

function holdsMiddle([left, top, right, bottom]: Box, box: Box): boolean {
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]
  return x >= left && x <= right && y >= top && y <= bottom
}

/** What of a page's text stands besides what its picture shows: all of it, unless its letters cannot be read. */
function writtenOn(page: Page): readonly Line[] {
  const { hasUsableText, lines } = page
  return hasUsableText && !isGarbled(page)
    ? lines
    : lines.filter(line => line.words.some(word => word.source === 'form' || word.source === 'note'))
}

const fromTheTop = (lines: readonly Line[]): Line[] =>
  lines.toSorted((one, other) => one.box[1] - other.box[1] || one.box[0] - other.box[0])

/**
 * Reads a page from its picture. Text that stands on the page as text (a stamp, filled fields) is kept, and put where it
 * is; a page that lies on its side is turned.
 */
export async function recognisePage(engine: OcrEngine, page: Page, draw: (times: number) => GreyImage): Promise<Page> {
  const { quarters, width, height, words, trust } = await readUpright(engine, draw)
  const across = quarters % 2 === 1
  const points = across ? { width: page.height, height: page.width } : { width: page.width, height: page.height }
  const written = writtenOn(page).map(line => turnLine(line, (4 - quarters) % 4))
  const recognised = layOutWords(besides(words, written, { width, height }), { width, height, points })
  return {
    number: page.number,
    ...points,
    lines: written.length === 0 ? recognised : fromTheTop([...written, ...recognised]),
    hasUsableText: written.length > 0 || (recognised.length > 0 && trust >= LEGIBLE),
    imageShare: page.imageShare,
    ...(quarters === 0 ? {} : { turned: quarters })
  }
}
