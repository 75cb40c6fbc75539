import type { Glyph } from '../draw/glyph.ts'
import { isRightToLeft, readingText } from './right-to-left.ts'

/**
 * A word in the frame of its own direction of writing: `start` to `end` along it, `base` is the place
 * of its base line across it (growing towards the next line).
 */
export interface PlacedWord {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly base: number
  readonly top: number
  readonly bottom: number
  readonly size: number
  readonly bold: boolean
  readonly vertical: boolean
  readonly run: number
  readonly order: number
  readonly hidden: boolean
  /** Characters without known text. */
  readonly unmapped: number
  readonly characters: number
}

/** A glyph in the frame of its direction. */
interface Placed {
  readonly glyph: Glyph
  readonly start: number
  readonly end: number
  readonly base: number
}

// Shares of the font size. A space of most fonts is 0.25–0.33 wide, kerning moves letters by up to 0.12.
const WORD_GAP = 0.17
const SAME_BASE = 0.2
const STEP_BACK = 0.3
// How far the parts of one word, each placed by itself, may lie from one another.
const PART_GAP = 0.1

/** Turns a point of the page into the frame of writing direction `angle`. */
function toFrame(x: number, y: number, angle: number): readonly [number, number] {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  return [x * cos + y * sin, y * cos - x * sin]
}

/** Cuts glyphs of one writing direction, in drawing order, into words. */
export function buildWords(glyphs: readonly Glyph[], angle: number): PlacedWord[] {
  const words: PlacedWord[] = []
  for (const chain of chainsOf(glyphs, angle)) {
    const gaps = wordGapsOf(chain)
    let word: Placed[] = []
    for (const placed of chain) {
      const last = word.at(-1)
      const gap = gaps.get(placed.glyph.order) ?? WORD_GAP
      const apart = last !== undefined && placed.start - last.end > gap * placed.glyph.size
      if (apart || placed.glyph.space) word = finish(word, words)
      if (!placed.glyph.space) word.push(placed)
    }
    finish(word, words)
  }
  return words
}

/** Strings of glyphs that follow one another on a base line, whatever gaps lie between. */
function chainsOf(glyphs: readonly Glyph[], angle: number): Placed[][] {
  const chains: Placed[][] = []
  let chain: Placed[] = []
  const all = glyphs.map((glyph): Placed => {
    const [start, base] = toFrame(glyph.x, glyph.y, angle)
    return { glyph, start, end: start + glyph.advance, base }
  })
  for (const placed of fromLeftToRight(all)) {
    const last = chain.at(-1)
    if (last !== undefined && !follows(last, placed)) {
      chains.push(chain)
      chain = []
    }
    chain.push(placed)
  }
  if (chain.length > 0) chains.push(chain)
  return chains
}

/**
 * Text that is written from right to left is drawn in either direction; each row of it is put in the order it stands in,
 * so that its letters follow one another as any others do.
 */
function fromLeftToRight(all: readonly Placed[]): readonly Placed[] {
  if (!all.some(({ glyph }) => isRightToLeft(glyph.text))) return all
  const ordered: Placed[] = []
  let row: Placed[] = []
  /** How much of the row reaches to its last letter of that kind: what is drawn after it is another text. */
  let reach = 0
  const flush = (): void => {
    ordered.push(...row.slice(0, reach).toSorted((one, other) => one.start - other.start), ...row.slice(reach))
    row = []
    reach = 0
  }
  for (const placed of all) {
    const last = row.at(-1)
    if (last && Math.abs(placed.base - last.base) > SAME_BASE * last.glyph.size) flush()
    const isTurned = isRightToLeft(placed.glyph.text)
    if (row.length === 0 && !isTurned) ordered.push(placed)
    else row.push(placed)
    if (isTurned) reach = row.length
  }
  flush()
  return ordered
}

function follows(last: Placed, next: Placed): boolean {
  const size = Math.max(last.glyph.size, next.glyph.size)
  if (Math.abs(next.base - last.base) > SAME_BASE * size) return false
  if (last.glyph.hidden !== next.glyph.hidden) return false
  const gap = next.start - last.end
  if (gap < -STEP_BACK * size) return false
  if (next.glyph.run === last.glyph.run) return true
  return gap < PART_GAP * size
}

const AMOUNT = /^\(?\$?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,12})(?:\.\d\d)?\)?%?$/

/**
 * Two whole amounts that touch, each placed by itself, are the cells of two columns. One of them must show
 * that it is an amount: plain digits are more often the parts of one number.
 */
function cutAmounts(word: readonly Placed[]): (readonly Placed[])[] {
  const parts: Placed[][] = []
  for (const placed of word) {
    const part = parts.at(-1)
    if (part && part[0]?.glyph.run === placed.glyph.run) part.push(placed)
    else parts.push([placed])
  }
  if (parts.length !== 2) return [word]
  const texts = parts.map(textOf)
  const amounts = texts.every(text => text.length > 1 && AMOUNT.test(text)) && texts.some(text => /[$,.]/.test(text))
  return amounts ? parts : [word]
}

function textOf(word: readonly Placed[]): string {
  const pieces = word.map(placed => placed.glyph.text)
  const text = pieces.join('')
  return isRightToLeft(text) ? readingText(pieces) : text
}

/**
 * The gap that parts words within each text operator of a chain, as a share of the font size. Spaced-out
 * text has a gap after nearly every letter: there only clearly wider gaps part words.
 */
function wordGapsOf(chain: readonly Placed[]): ReadonlyMap<number, number> {
  const gapsOf = new Map<number, number[]>()
  for (const [index, placed] of chain.entries()) {
    const before = chain[index - 1]
    if (!before || before.glyph.space || placed.glyph.space || before.glyph.order !== placed.glyph.order) continue
    const gaps = gapsOf.get(placed.glyph.order) ?? []
    gaps.push((placed.start - before.end) / placed.glyph.size)
    gapsOf.set(placed.glyph.order, gaps)
  }
  const limits = new Map<number, number>()
  for (const [order, gaps] of gapsOf) {
    gaps.sort((one, other) => one - other)
    const usual = gaps.length < 3 ? 0 : (gaps[Math.floor(gaps.length * 0.4)] ?? 0)
    if (usual > 0.08) limits.set(order, usual * 1.35 + 0.12)
  }
  return limits
}

function finish(word: readonly Placed[], words: PlacedWord[]): Placed[] {
  for (const part of cutAmounts(word)) {
    const [first] = part
    const last = part.at(-1)
    if (first && last) words.push(wordOf(part, first, last))
  }
  return []
}

function wordOf(word: readonly Placed[], first: Placed, last: Placed): PlacedWord {
  const { size, vertical } = first.glyph
  return {
    text: textOf(word),
    start: first.start,
    end: Math.max(last.end, first.start),
    base: first.base,
    // Letters reach about 0.8 above and 0.2 below the base line; vertical text stands centred on it.
    top: first.base - size * (vertical ? 0.5 : 0.8),
    bottom: first.base + size * (vertical ? 0.5 : 0.2),
    size,
    bold: word.filter(placed => placed.glyph.bold).length * 2 > word.length,
    vertical,
    run: first.glyph.run,
    order: first.glyph.order,
    hidden: first.glyph.hidden,
    unmapped: word.filter(placed => placed.glyph.unmapped).length,
    characters: word.length
  }
}
