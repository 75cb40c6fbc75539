import { type FontFacts, NO_FONT, type RawGlyph } from './fonts.ts'
import { combine, IDENTITY, imageOf, type Matrix, type Rectangle } from './geometry.ts'
import type { Picture } from './glyph.ts'
import { type Clip, clipped, floorsOf, NO_CLIP, type Paint, rectanglesOf, strokesOf, wallsOf } from './paint.ts'

/** Whether content of an optional layer is shown. */
export type LayerTest = (properties: unknown) => boolean

/** The part of the graphics state that text and pictures depend on. */
export interface State {
  ctm: Matrix
  text: Matrix
  x: number
  y: number
  lineX: number
  lineY: number
  font: FontFacts
  fontName: string
  size: number
  direction: number
  spacing: number
  wordSpacing: number
  scale: number
  leading: number
  rise: number
  mode: number
  alpha: number
  /** `#rrggbb`; null for a pattern. */
  fill: string | null
  clip: Clip
  /** Drawn plainly over what is there: no mask, no blending. */
  plain: boolean
}

/** One text operator, with the state it was shown in. */
export interface Shown {
  readonly state: Readonly<State>
  readonly glyphs: readonly (RawGlyph | number)[]
  readonly run: number
  readonly order: number
  readonly layerHidden: boolean
}

/** A finite number, or 0 for anything else a file may hold in its place. */
export const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
// Text deeper in nested forms than any real page.
const MAX_SAVED = 5000
// More filled areas than any real page.
const MAX_PAINTS = 20_000
/** Thickness of the thinnest line, in points. */
const HAIR = 0.01

/** What is done with a path. */
export interface Drawn {
  readonly isFilled: boolean
  readonly isStroked: boolean
}

/** Runs the drawing operators of one page and collects what they show. Only text and pictures are followed. */
export class Drawing {
  readonly shown: Shown[] = []
  readonly pictures: Picture[] = []
  readonly paints: Paint[] = []
  /** Upright lines, as tables have them between their columns. */
  readonly walls: Rectangle[] = []
  /** Level lines, as tables have them between their rows. */
  readonly floors: Rectangle[] = []
  private state: State
  private readonly saved: State[] = []
  private readonly layers: boolean[] = []
  private run = 0
  private order = 0
  private clipNext = false
  private groups = 0
  private readonly fonts: ReadonlyMap<string, FontFacts>
  private readonly isShown: LayerTest

  constructor(base: Matrix, fonts: ReadonlyMap<string, FontFacts>, isShown: LayerTest) {
    this.fonts = fonts
    this.isShown = isShown
    this.state = {
      ctm: base,
      text: IDENTITY,
      x: 0,
      y: 0,
      lineX: 0,
      lineY: 0,
      font: NO_FONT,
      fontName: '',
      size: 0,
      direction: 1,
      spacing: 0,
      wordSpacing: 0,
      scale: 1,
      leading: 0,
      rise: 0,
      mode: 0,
      alpha: 1,
      fill: '#000000',
      clip: NO_CLIP,
      plain: true
    }
  }

  save(): void {
    if (this.saved.length < MAX_SAVED) this.saved.push({ ...this.state })
  }

  restore(): void {
    this.state = this.saved.pop() ?? this.state
  }

  transform(matrix: Matrix | null): void {
    if (matrix) this.state.ctm = combine(this.state.ctm, matrix)
  }

  set(change: Partial<State>): void {
    Object.assign(this.state, change)
  }

  setFont(name: unknown, size: unknown): void {
    const points = number(size)
    const fontName = String(name)
    const font = this.fonts.get(fontName) ?? NO_FONT
    this.set({ font, fontName, size: Math.abs(points), direction: points < 0 ? -1 : 1 })
  }

  setGraphicsState(entries: unknown): void {
    if (!Array.isArray(entries)) return
    for (const entry of entries) {
      if (!Array.isArray(entry)) continue
      if (entry[0] === 'ca') this.state.alpha = number(entry[1])
      if (entry[0] === 'SMask') this.state.plain = entry[1] === false
      if (entry[0] === 'BM' && entry[1] !== 'source-over' && entry[1] !== 'Normal') this.state.plain = false
      if (entry[0] === 'Font' && Array.isArray(entry[1])) this.setFont(entry[1][0], entry[1][1])
    }
  }

  startText(matrix: Matrix): void {
    this.run += 1
    this.set({ text: matrix, x: 0, y: 0, lineX: 0, lineY: 0 })
  }

  moveText(x: number, y: number): void {
    this.run += 1
    const lineX = this.state.lineX + x
    const lineY = this.state.lineY + y
    this.set({ x: lineX, y: lineY, lineX, lineY })
  }

  nextLine(): void {
    this.moveText(0, this.state.leading)
  }

  beginLayer(tag: unknown, properties: unknown): void {
    this.layers.push(tag === 'OC' && !this.isShown(properties))
  }

  endLayer(): void {
    this.layers.pop()
  }

  showText(glyphs: unknown): void {
    if (!Array.isArray(glyphs)) return
    const { state } = this
    this.order += 1
    this.shown.push({
      state: { ...state },
      glyphs,
      run: this.run,
      order: this.order,
      layerHidden: this.layers.includes(true)
    })
    const along = advanceOf(state, glyphs)
    if (state.font.vertical) state.y += along
    else state.x += along * state.scale * state.direction
  }

  /** The next path bounds what is painted after it. */
  clipByNextPath(): void {
    this.clipNext = true
  }

  beginGroup(): void {
    this.groups += 1
    this.save()
  }

  endGroup(): void {
    this.groups -= 1
    this.restore()
  }

  /** A form is seen through its box only. */
  clipToBox(box: unknown): void {
    const numbers = Array.isArray(box) || box instanceof Float32Array ? [...box].map(Number) : []
    const [x0, y0, x1, y1] = numbers
    if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return
    this.narrow(imageOf(this.state.ctm, [x0, y0, x1, y1]), true)
  }

  /** Takes note of a path: what it fills, or what it leaves to be painted on. */
  path(data: unknown, bounds: unknown, { isFilled, isStroked }: Drawn): void {
    const { state, clipNext } = this
    this.clipNext = false
    if (isStroked && isList(data)) this.build(strokesOf(data, state.ctm))
    if ((!isFilled && !clipNext) || !isList(bounds)) return
    const exact = isList(data) ? rectanglesOf(data, state.ctm) : null
    const around = imageOf(state.ctm, [number(bounds[0]), number(bounds[1]), number(bounds[2]), number(bounds[3])])
    if (isFilled && exact) this.build(exact)
    if (isFilled) for (const area of exact ?? [around]) this.paint(area, exact !== null)
    if (clipNext) this.narrow(around, exact?.length === 1)
  }

  /** Fills all that may be painted on with something that has no one colour. */
  paintAll(): void {
    this.paint(NO_CLIP, false)
  }

  /** Takes note of those areas that are lines. */
  private build(areas: readonly Rectangle[]): void {
    if (this.layers.includes(true)) return
    this.keep(wallsOf(areas), this.walls)
    this.keep(floorsOf(areas), this.floors)
  }

  private keep(lines: readonly Rectangle[], kept: Rectangle[]): void {
    for (const line of lines) {
      if (kept.length >= MAX_PAINTS) return
      // A stroke has no thickness of its own.
      const [right, bottom] = [Math.max(line.right, line.left + HAIR), Math.max(line.bottom, line.top + HAIR)]
      const part = clipped({ ...line, right, bottom }, this.state.clip)
      if (part) kept.push(part)
    }
  }

  private paint(area: Rectangle, isWhole: boolean): void {
    const { state } = this
    const part = clipped(area, state.clip)
    this.order += 1
    if (!part || state.alpha === 0 || this.layers.includes(true) || this.paints.length >= MAX_PAINTS) return
    const isPlain = state.plain && state.alpha === 1 && this.groups === 0 && state.clip.exact
    this.paints.push({
      ...part,
      order: this.order,
      colour: state.fill,
      solid: isWhole && isPlain && state.fill !== null
    })
  }

  private narrow(area: Rectangle, exact: boolean): void {
    const { clip } = this.state
    const part = clipped(area, clip) ?? { left: 0, top: 0, right: 0, bottom: 0 }
    this.state.clip = { ...part, exact: clip.exact && exact }
  }

  showPicture(matrix: Matrix | null = null): void {
    this.order += 1
    const place = matrix ? combine(this.state.ctm, matrix) : this.state.ctm
    if (!this.layers.includes(true)) this.pictures.push({ ...imageOf(place, [0, 0, 1, 1]), order: this.order })
  }
}

const isList = (value: unknown): value is ArrayLike<unknown> & ArrayLike<number> =>
  Array.isArray(value) || value instanceof Float32Array

/** How far one glyph moves the pen, in text space before horizontal scaling. */
export function stepOf(state: Readonly<State>, glyph: RawGlyph | number): number {
  const { font, size } = state
  if (typeof glyph === 'number') return (-glyph * size) / 1000
  const spacing = state.spacing + (glyph.isSpace ? state.wordSpacing : 0)
  if (font.vertical) return number(glyph.vmetric?.[0] ?? -1000) * size * font.unit + spacing * state.direction
  return number(glyph.width) * size * font.unit + spacing * state.direction
}

function advanceOf(state: Readonly<State>, glyphs: readonly (RawGlyph | number)[]): number {
  let sum = 0
  for (const glyph of glyphs) sum += stepOf(state, glyph)
  return sum
}
