import type { Glyph, Picture } from './glyph.ts'
import type { Paint } from './paint.ts'

/** Channels of two colours that differ by no more look alike, of 255. */
const ALIKE = 12
const PAPER = '#ffffff'
/** A filled bar lower than this share of the letters strikes them out or underlines them. */
const LEAST_HEIGHT = 0.5
/** Height of the bands in which paints are looked up, in points, and the most bands of a page. */
const BAND = 24
const MOST_BANDS = 400

type Area = Paint | (Picture & { readonly colour: null; readonly solid: false })

const bandOf = (y: number): number => Math.max(0, Math.min(MOST_BANDS, Math.floor(y / BAND)))

function byBand(areas: readonly Area[]): Map<number, Area[]> {
  const bands = new Map<number, Area[]>()
  for (const area of areas) {
    for (let band = bandOf(area.top); band <= bandOf(area.bottom); band += 1) {
      const held = bands.get(band)
      if (held) held.push(area)
      else bands.set(band, [area])
    }
  }
  return bands
}

/** The middle of the small letters of a glyph. */
function middleOf({ x, y, angle, advance, size }: Glyph): readonly [number, number] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return [x + (cos * advance) / 2 + sin * size * 0.3, y + (sin * advance) / 2 - cos * size * 0.3]
}

const holds = (area: Area, x: number, y: number): boolean =>
  x >= area.left && x <= area.right && y >= area.top && y <= area.bottom

const channelsOf = (colour: string): number[] => [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))

/** Compares colours, of which a page has few for its many letters. */
class Comparison {
  private readonly known = new Map<string, Map<string, boolean>>()

  isAlike(one: string, other: string): boolean {
    let known = this.known.get(other)
    if (!known) this.known.set(other, (known = new Map()))
    let isAlike = known.get(one)
    if (isAlike === undefined) {
      const b = channelsOf(other)
      isAlike = channelsOf(one).every((channel, at) => Math.abs(channel - (b[at] ?? 0)) <= ALIKE)
      known.set(one, isAlike)
    }
    return isAlike
  }
}

/** Dark enough to black something out: no channel above this, of 255. */
const BLACK = 80
/** Stands for a letter that was blacked out. */
const REDACTED = '\u2588'

const isBlack = (colour: string | null): boolean =>
  colour !== null && [1, 3, 5].every(at => Number.parseInt(colour.slice(at, at + 2), 16) <= BLACK)

interface Look {
  readonly glyph: Glyph
  /** What was drawn over it, and what lies under it. */
  readonly over: Area | undefined
  readonly under: Area | undefined
}

const NOTHING: readonly Area[] = []

function lookAt(glyph: Glyph, bands: ReadonlyMap<number, readonly Area[]>): Look {
  const [x, y] = middleOf(glyph)
  const areas = bands.get(bandOf(y)) ?? NOTHING
  let over: Area | undefined
  let under: Area | undefined
  for (const area of areas) {
    if (!holds(area, x, y)) continue
    if (area.order < glyph.order) under = area
    else if (area.order > glyph.order && area.solid && isHigh(area, glyph)) over = area
  }
  return { glyph, over, under }
}

function isInvisible({ colour }: Glyph, under: Area | undefined, colours: Comparison): boolean {
  const paper = under === undefined ? PAPER : under.solid ? under.colour : null
  return colour !== null && paper !== null && colours.isAlike(colour, paper)
}

/** Pages on which nothing is filled and no picture stands: only letters in the colour of paper are not seen. */
function onPaper(glyphs: readonly Glyph[], colours: Comparison): Glyph[] {
  return glyphs.map(glyph => (isInvisible(glyph, undefined, colours) ? { ...glyph, hidden: true } : glyph))
}

/**
 * Leaves out glyphs that something opaque was drawn over, with a mark for each that is blacked out, and marks as hidden
 * those in the colour of what lies under them. Beneath pictures, patterns and anything see-through a glyph counts as
 * seen. A dark bar with letters of its own is a heading, not a redaction.
 */
export function seenGlyphs(
  glyphs: readonly Glyph[],
  paints: readonly Paint[],
  pictures: readonly Picture[]
): { glyphs: Glyph[]; covered: number } {
  const colours = new Comparison()
  if (paints.length + pictures.length === 0) return { glyphs: onPaper(glyphs, colours), covered: 0 }
  const areas: Area[] = [...paints, ...pictures.map(picture => ({ ...picture, colour: null, solid: false as const }))]
  const bands = byBand(areas.toSorted((a, b) => a.order - b.order))
  const looks = glyphs.map(glyph => lookAt(glyph, bands))
  const written = new Set(looks.filter(({ over, glyph }) => !over && !glyph.space).map(({ under }) => under))
  let covered = 0
  const seen = looks.flatMap(look => {
    const { glyph, over } = look
    if (!over) return isInvisible(glyph, look.under, colours) ? { ...glyph, hidden: true } : glyph
    if (!glyph.space && !glyph.hidden) covered += 1
    const isMark = isBlack(over.colour) && !written.has(over) && !glyph.space
    return isMark ? [{ ...glyph, text: REDACTED, hidden: false, unmapped: false }] : []
  })
  return { glyphs: seen, covered }
}

const isHigh = (area: Area, { size }: Glyph): boolean =>
  Math.min(area.bottom - area.top, area.right - area.left) >= size * LEAST_HEIGHT
