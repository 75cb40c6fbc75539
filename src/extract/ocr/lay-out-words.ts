import type { Box, Line, Word } from '../../model/document-text.ts'
import { buildLines, type PlacedLine } from '../pdf/layout/lines.ts'
import { inReadingOrder } from '../pdf/layout/reading-order.ts'
import type { PlacedWord } from '../pdf/layout/words.ts'
import type { ReadWord } from './engine.ts'

/** Size of a picture in pixels, and of the page it shows in points. */
export interface Scale {
  readonly width: number
  readonly height: number
  readonly points: { readonly width: number; readonly height: number }
}

/** Heights as shares of the font size, as in most fonts. */
const CAPITAL = 0.72
const SMALL = 0.52
const DESCENT = 0.2
const HAS_DESCENT = /[gjpqyQ,;()[\]{}$|/]/
const IS_TALL = /[\p{Lu}\p{N}bdfhijklt()[\]{}$|/]/u
/** Signs alone, read this unsurely, are specks and ruled lines. */
const SPECK = 0.75
const ONLY_SIGNS = /^[^\p{L}\p{N}$£€%&#]+$/u
/** A ruled line beside a word is read as part of it. */
const RULED = /^[|[\]]+(?=[^|]{2})|(?<=[^|]{2})[|]+$/g

/** Puts the words of an upright picture into lines in reading order, as those of any other page. */
export function layOutWords(words: readonly ReadWord[], scale: Scale): Line[] {
  const kept = words.map(word => ({ ...word, text: cleanText(word.text) })).filter(isWord)
  const placed = [...Map.groupBy(kept, word => word.line).values()].flatMap(line => placeLine(line, scale))
  const inOrder = placed.map((word, order) => ({ ...word, order }))
  const confidences = inOrder.map(word => word.confidence)
  return inReadingOrder(buildLines(inOrder)).map(line => toLine(line, confidences, scale.points))
}

const cleanText = (text: string): string => text.normalize('NFC').replace(RULED, '').trim()

function isWord({ text, confidence, left, right, top, bottom }: ReadWord): boolean {
  if (text === '' || right <= left || bottom <= top) return false
  return confidence >= SPECK || !ONLY_SIGNS.test(text)
}

type Recognised = PlacedWord & { readonly confidence: number }

/** Words of one line share base line and size, which no single word shows. */
function placeLine(line: readonly ReadWord[], { width, height, points }: Scale): Recognised[] {
  const [toX, toY] = [points.width / width, points.height / height]
  const size = medianOf(line.map(sizeOf)) * toY
  const onBase = line.filter(word => !HAS_DESCENT.test(word.text))
  const bases =
    onBase.length > 0 ? onBase.map(word => word.bottom * toY) : line.map(word => word.bottom * toY - DESCENT * size)
  const base = medianOf(bases)
  return line.map(word => ({
    text: word.text,
    start: word.left * toX,
    end: word.right * toX,
    top: word.top * toY,
    bottom: word.bottom * toY,
    base,
    size,
    bold: false,
    vertical: false,
    run: word.line,
    order: 0,
    hidden: false,
    unmapped: 0,
    characters: word.text.length,
    confidence: word.confidence
  }))
}

/** The font size that a word of these signs and this height has, in pixels. */
function sizeOf({ text, top, bottom }: ReadWord): number {
  const tall = IS_TALL.test(text) ? CAPITAL : SMALL
  return (bottom - top) / (tall + (HAS_DESCENT.test(text) ? DESCENT : 0))
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}

function toLine(line: PlacedLine, confidences: readonly number[], points: Scale['points']): Line {
  const words = line.words.map<Word>(word => ({
    text: word.text,
    box: toBox(word, points),
    size: Math.round(word.size * 10) / 10,
    bold: false,
    source: 'ocr',
    confidence: confidences[word.order] ?? 0
  }))
  return { text: words.map(word => word.text).join(' '), words, box: toBox(line, points) }
}

function toBox(
  { start, end, top, bottom }: { start: number; end: number; top: number; bottom: number },
  { width, height }: Scale['points']
): Box {
  return [share(start, width), share(top, height), share(end, width), share(bottom, height)]
}

function share(value: number, whole: number): number {
  return Math.round(Math.min(1, Math.max(0, value / whole)) * 100_000) / 100_000
}
