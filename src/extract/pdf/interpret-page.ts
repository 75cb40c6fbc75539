import { type FontFacts, fontFacts, isGlyphNumbers, NO_FONT, type RawGlyph, textOfGlyph } from './fonts.ts'
import { combine, IDENTITY, imageOf, type Matrix, toMatrix } from './geometry.ts'
import { type Glyph, type Picture, UNMAPPED } from './glyph.ts'
import type { Pdfjs, PdfPage } from './pdfjs.ts'

/** What a page draws. */
export interface PageContent {
  readonly width: number
  readonly height: number
  readonly glyphs: readonly Glyph[]
  readonly pictures: readonly Picture[]
}

/** Whether content of an optional layer is shown. */
export type LayerTest = (properties: unknown) => boolean

interface State {
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
}

interface Shown {
  readonly state: Readonly<State>
  readonly glyphs: readonly (RawGlyph | number)[]
  readonly run: number
  readonly order: number
  readonly layerHidden: boolean
}

type Arguments = readonly unknown[]

const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
// Text deeper in nested forms than any real page.
const MAX_SAVED = 5000

/** Runs the drawing operators of one page and collects what they show. Only text and pictures are followed. */
class Interpreter {
  readonly shown: Shown[] = []
  readonly pictures: Picture[] = []
  private state: State
  private readonly saved: State[] = []
  private readonly layers: boolean[] = []
  private run = 0
  private order = 0
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
      alpha: 1
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

  showPicture(matrix: Matrix | null = null): void {
    this.order += 1
    const place = matrix ? combine(this.state.ctm, matrix) : this.state.ctm
    if (!this.layers.includes(true)) this.pictures.push({ ...imageOf(place, [0, 0, 1, 1]), order: this.order })
  }
}

/** How far one glyph moves the pen, in text space before horizontal scaling. */
function stepOf(state: Readonly<State>, glyph: RawGlyph | number): number {
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

type Handler = (page: Interpreter, args: Arguments) => void

function handlersOf(OPS: Pdfjs['OPS']): ReadonlyMap<number, Handler> {
  const picture: Handler = page => page.showPicture()
  return new Map<number, Handler>([
    [OPS.save, page => page.save()],
    [OPS.restore, page => page.restore()],
    [OPS.transform, (page, args) => page.transform(toMatrix(args))],
    [
      OPS.paintFormXObjectBegin,
      (page, args) => {
        page.save()
        page.transform(toMatrix(args[0]))
      }
    ],
    [OPS.paintFormXObjectEnd, page => page.restore()],
    [OPS.beginGroup, page => page.save()],
    [OPS.endGroup, page => page.restore()],
    [OPS.beginText, page => page.startText(IDENTITY)],
    [OPS.setTextMatrix, (page, args) => page.startText(toMatrix(args[0]) ?? toMatrix(args) ?? IDENTITY)],
    [OPS.moveText, (page, args) => page.moveText(number(args[0]), number(args[1]))],
    [
      OPS.setLeadingMoveText,
      (page, args) => {
        page.set({ leading: number(args[1]) })
        page.moveText(number(args[0]), number(args[1]))
      }
    ],
    [OPS.nextLine, page => page.nextLine()],
    [OPS.setCharSpacing, (page, args) => page.set({ spacing: number(args[0]) })],
    [OPS.setWordSpacing, (page, args) => page.set({ wordSpacing: number(args[0]) })],
    [OPS.setHScale, (page, args) => page.set({ scale: number(args[0]) / 100 })],
    [OPS.setLeading, (page, args) => page.set({ leading: -number(args[0]) })],
    [OPS.setTextRise, (page, args) => page.set({ rise: number(args[0]) })],
    [OPS.setTextRenderingMode, (page, args) => page.set({ mode: number(args[0]) })],
    [OPS.setFont, (page, args) => page.setFont(args[0], args[1])],
    [OPS.setGState, (page, args) => page.setGraphicsState(args[0])],
    [OPS.showText, (page, args) => page.showText(args[0])],
    [OPS.beginMarkedContent, page => page.beginLayer(null, null)],
    [OPS.beginMarkedContentProps, (page, args) => page.beginLayer(args[0], args[1])],
    [OPS.endMarkedContent, page => page.endLayer()],
    [OPS.paintImageXObject, picture],
    [OPS.paintImageMaskXObject, picture],
    [OPS.paintInlineImageXObject, picture]
  ])
}

async function loadFonts(pdfjs: Pdfjs, page: PdfPage, list: OperatorList): Promise<Map<string, FontFacts>> {
  const names = new Set<string>()
  for (const [index, operator] of list.fnArray.entries()) {
    const args = list.argsArray[index]
    if (operator === pdfjs.OPS.setFont) names.add(String(args?.[0]))
    if (operator !== pdfjs.OPS.setGState || !Array.isArray(args?.[0])) continue
    for (const entry of args[0]) if (entry?.[0] === 'Font') names.add(String(entry[1]?.[0]))
  }
  const fonts = new Map<string, FontFacts>()
  for (const name of names) {
    const font = await new Promise<unknown>(resolve => page.commonObjs.get(name, resolve))
    fonts.set(name, fontFacts(font))
  }
  return fonts
}

interface OperatorList {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly (Arguments | null)[]
}

/** Names of the fonts whose text is glyph numbers, judged by everything they show on the page. */
function fontsWithoutUnicode(shown: readonly Shown[]): ReadonlySet<string> {
  const seen = new Map<string, { font: FontFacts; glyphs: Map<number, RawGlyph> }>()
  for (const { state, glyphs } of shown) {
    if (!state.font.composite) continue
    const entry = seen.get(state.fontName) ?? { font: state.font, glyphs: new Map() }
    for (const glyph of glyphs) if (typeof glyph !== 'number') entry.glyphs.set(glyph.originalCharCode, glyph)
    seen.set(state.fontName, entry)
  }
  return new Set(
    [...seen].filter(([, { font, glyphs }]) => isGlyphNumbers(font, glyphs.values())).map(([name]) => name)
  )
}

function placeGlyphs(shown: Shown, unreadable: boolean, glyphs: Glyph[]): void {
  const { state } = shown
  const { font } = state
  const matrix = combine(state.ctm, state.text)
  const size = state.size * Math.hypot(matrix[2], matrix[3])
  const across = state.scale * state.direction
  const angle = font.vertical ? Math.atan2(-matrix[3], -matrix[2]) : Math.atan2(matrix[1] * across, matrix[0] * across)
  const stretch = font.vertical ? Math.hypot(matrix[2], matrix[3]) : Math.hypot(matrix[0], matrix[1]) * Math.abs(across)
  const invisible = state.mode === 3 || state.mode === 7 || state.alpha === 0 || shown.layerHidden || size < 0.5
  let pen = 0
  for (const raw of shown.glyphs) {
    if (typeof raw === 'number') {
      pen += stepOf(state, raw)
      continue
    }
    const x = state.x + (font.vertical ? 0 : pen * across)
    const y = state.y + state.rise + (font.vertical ? pen : 0)
    const text = unreadable ? UNMAPPED : textOfGlyph(raw, font)
    const width = font.vertical ? number(raw.vmetric?.[0] ?? -1000) : number(raw.width)
    glyphs.push({
      text,
      x: matrix[0] * x + matrix[2] * y + matrix[4],
      y: matrix[1] * x + matrix[3] * y + matrix[5],
      angle,
      advance: Math.abs(width * state.size * font.unit) * stretch,
      size,
      bold: font.bold || state.mode === 2,
      vertical: font.vertical,
      hidden: invisible,
      unmapped: text === UNMAPPED,
      space: text.trim() === '',
      run: shown.run,
      order: shown.order
    })
    pen += stepOf(state, raw)
  }
}

/** What the page draws, in points of the page as displayed: its own rotation is undone. */
export async function interpretPage(pdfjs: Pdfjs, page: PdfPage, isShown: LayerTest): Promise<PageContent> {
  const viewport = page.getViewport({ scale: 1 })
  const list: OperatorList = await page.getOperatorList({ annotationMode: pdfjs.AnnotationMode.DISABLE })
  const fonts = await loadFonts(pdfjs, page, list)
  const interpreter = new Interpreter(toMatrix(viewport.transform) ?? IDENTITY, fonts, isShown)
  const handlers = handlersOf(pdfjs.OPS)
  for (const [index, operator] of list.fnArray.entries()) {
    handlers.get(operator)?.(interpreter, list.argsArray[index] ?? [])
  }
  const unreadable = fontsWithoutUnicode(interpreter.shown)
  const glyphs: Glyph[] = []
  for (const shown of interpreter.shown) placeGlyphs(shown, unreadable.has(shown.state.fontName), glyphs)
  return { width: viewport.width, height: viewport.height, glyphs, pictures: interpreter.pictures }
}
