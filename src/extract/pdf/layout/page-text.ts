import type { Box, Line, Page, Word } from '../../../model/document-text.ts'
import type { Glyph } from '../draw/glyph.ts'
import type { PageContent } from '../draw/interpret-page.ts'
import { dropRepeats } from './drop-repeats.ts'
import { gridsOf } from './grids.ts'
import { buildLines, type PlacedLine } from './lines.ts'
import { inReadingOrder } from './reading-order.ts'
import { inWritingOrder } from './right-to-left.ts'
import { quarterOf, turnBack, turnLine } from './turned-page.ts'
import { buildWords, type PlacedWord } from './words.ts'

/** A page's text and what was noticed while reading it. */
export interface PageText {
  readonly page: Page
  readonly flags: ReadonlySet<string>
  /** True when nothing is drawn or filled in on it. */
  readonly isBare: boolean
}

/**
 * Confidence of words that a scanner's software put under its picture: such files keep none. High enough
 * to be used, below anything that was written as text.
 */
const SCAN_TEXT_CONFIDENCE = 0.8
// A picture of at least this share of the page is the page itself, scanned.
const WHOLE_PAGE = 0.6

interface Frame {
  /** Direction of writing, radians. */
  readonly angle: number
  readonly width: number
  readonly height: number
}

/** Words, lines and reading order of what a page draws; `extra` are lines of form fields and notes. */
export function readPageText(number: number, content: PageContent, extra: readonly Line[]): PageText {
  const flags = new Set<string>()
  const quarter = quarterOf(content)
  if (quarter > 0) flags.add('PAGE_TURNED')
  if (content.covered > 0) flags.add('HIDDEN_TEXT')
  const upright = turnBack(content, quarter)
  const imageShare = coveredShare(upright)
  const glyphs = visibleGlyphs(dropRepeats(underPicture(upright)), { content: upright, imageShare, flags })
  const lines: Line[] = []
  let unmapped = 0
  let characters = 0
  for (const [angle, group] of byDirection(glyphs)) {
    const frame = { angle, width: upright.width, height: upright.height }
    const words = buildWords(group, angle)
    for (const word of words) {
      unmapped += word.unmapped
      characters += word.characters
    }
    for (const line of inReadingOrder(buildLines(words, angle === 0 ? upright.walls : [])))
      lines.push(toLine(line, frame, imageShare))
  }
  if (unmapped > 0) flags.add('UNMAPPED_GLYPHS')
  const grids = gridsOf(upright, upright)
  const page: Page = {
    number,
    width: upright.width,
    height: upright.height,
    lines: weaveIn(
      lines,
      extra.map(line => turnLine(line, quarter))
    ),
    hasUsableText: isUsable(characters, unmapped) || (characters === 0 && extra.length > 0 && imageShare < WHOLE_PAGE),
    imageShare,
    ...(grids.length > 0 ? { grids } : {})
  }
  return { page, flags, isBare: content.isBare && extra.length === 0 }
}

/**
 * Letters whose font has no map to Unicode cannot be read. A few signs without a map (bullets, boxes) are
 * common in good files; more than one in eight is a text layer that is none.
 */
function isUsable(characters: number, unmapped: number): boolean {
  return characters > 0 && unmapped * 8 <= characters
}

/** Share of the page under pictures, counted on a grid so that overlaps count once. */
function coveredShare(content: PageContent): number {
  const cells = 40
  const covered = new Uint8Array(cells * cells)
  for (const picture of content.pictures) {
    const fromColumn = Math.max(0, Math.round((picture.left / content.width) * cells))
    const toColumn = Math.min(cells, Math.round((picture.right / content.width) * cells))
    const fromRow = Math.max(0, Math.round((picture.top / content.height) * cells))
    const toRow = Math.min(cells, Math.round((picture.bottom / content.height) * cells))
    for (let row = fromRow; row < toRow; row++) covered.fill(1, row * cells + fromColumn, row * cells + toColumn)
  }
  return covered.reduce((sum, cell) => sum + cell, 0) / covered.length
}

/** Text drawn before a picture that then covers the whole page is not seen: a scanner's reading, as invisible text is. */
function underPicture(content: PageContent): readonly Glyph[] {
  const area = content.width * content.height
  const covers = content.pictures
    .filter(picture => (picture.right - picture.left) * (picture.bottom - picture.top) >= WHOLE_PAGE * area)
    .map(picture => picture.order)
  const last = Math.max(0, ...covers)
  return last === 0
    ? content.glyphs
    : content.glyphs.map(glyph => (glyph.order < last ? { ...glyph, hidden: true } : glyph))
}

interface Visibility {
  readonly content: PageContent
  readonly imageShare: number
  readonly flags: Set<string>
}

/**
 * Leaves out what nobody sees: invisible text, and text outside the page. Under the picture of a scanned
 * page invisible text is the scanner's reading of it and is kept.
 */
function visibleGlyphs(glyphs: readonly Glyph[], { content, imageShare, flags }: Visibility): Glyph[] {
  const scanned = imageShare >= WHOLE_PAGE
  return glyphs.filter(glyph => {
    const outside =
      glyph.x < -glyph.size ||
      glyph.y < -glyph.size ||
      glyph.x > content.width + glyph.size ||
      glyph.y > content.height + glyph.size
    const kept = !outside && (!glyph.hidden || scanned)
    if (!kept && !glyph.space) flags.add('HIDDEN_TEXT')
    return kept
  })
}

/** Groups glyphs by direction of writing, the direction of most of the text first. */
function byDirection(glyphs: readonly Glyph[]): [number, Glyph[]][] {
  const groups = new Map<number, Glyph[]>()
  for (const glyph of glyphs) {
    const degrees = Math.round((glyph.angle * 180) / Math.PI)
    // Signs of a turned page differ by rounding: -180° and 180° are one direction.
    const key = ((degrees % 360) + 360) % 360
    const group = groups.get(key)
    if (group) group.push(glyph)
    else groups.set(key, [glyph])
  }
  return [...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([degrees, group]) => [(degrees * Math.PI) / 180, group])
}

function toLine(line: PlacedLine, frame: Frame, imageShare: number): Line {
  const words = inWritingOrder(line.words).map(word => toWord(word, frame, imageShare))
  return { text: words.map(word => word.text).join(' '), words, box: toBox(line, frame) }
}

function toWord(word: PlacedWord, frame: Frame, imageShare: number): Word {
  const ocr = word.hidden && imageShare >= WHOLE_PAGE
  return {
    text: word.text,
    box: toBox(word, frame),
    size: Math.round(word.size * 10) / 10,
    bold: word.bold,
    source: ocr ? 'ocr' : 'text',
    confidence: ocr ? SCAN_TEXT_CONFIDENCE : 1
  }
}

function toBox(place: { start: number; end: number; top: number; bottom: number }, frame: Frame): Box {
  const cos = Math.cos(frame.angle)
  const sin = Math.sin(frame.angle)
  const xs: number[] = []
  const ys: number[] = []
  for (const along of [place.start, place.end]) {
    for (const across of [place.top, place.bottom]) {
      xs.push(along * cos - across * sin)
      ys.push(along * sin + across * cos)
    }
  }
  return [
    share(Math.min(...xs), frame.width),
    share(Math.min(...ys), frame.height),
    share(Math.max(...xs), frame.width),
    share(Math.max(...ys), frame.height)
  ]
}

function share(value: number, whole: number): number {
  return Math.round(Math.min(1, Math.max(0, value / whole)) * 100_000) / 100_000
}

/** Puts lines of form fields and notes where they stand on the page. */
function weaveIn(lines: readonly Line[], extra: readonly Line[]): Line[] {
  const woven = [...lines]
  for (const line of extra) {
    const middle = (line.box[1] + line.box[3]) / 2
    const after = woven.findIndex(
      other => other.box[1] > middle || (other.box[3] > middle && other.box[0] > line.box[0])
    )
    if (after === -1) woven.push(line)
    else woven.splice(after, 0, line)
  }
  return woven
}
