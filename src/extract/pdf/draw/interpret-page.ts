import type { Pdfjs, PdfPage } from '../pdfjs.ts'
import { Drawing, type LayerTest, type Shown } from './drawing.ts'
import { type FontFacts, fontFacts, isGlyphNumbers, type RawGlyph } from './fonts.ts'
import { IDENTITY, type Rectangle, toMatrix } from './geometry.ts'
import type { Glyph, Picture } from './glyph.ts'
import { type Arguments, handlersOf } from './operators.ts'
import { placeGlyphs } from './place-glyphs.ts'
import { seenGlyphs } from './seen.ts'

/** What a page draws. */
export interface PageContent {
  readonly width: number
  readonly height: number
  readonly glyphs: readonly Glyph[]
  readonly pictures: readonly Picture[]
  /** Upright lines, and level ones. */
  readonly walls: readonly Rectangle[]
  readonly floors: readonly Rectangle[]
  /** True when the page has no drawing operators at all. */
  readonly isBare: boolean
  /** How many characters something opaque was drawn over; they are not among the glyphs. */
  readonly covered: number
}

interface OperatorList {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly (Arguments | null)[]
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

/** What the page draws, in points of the page as displayed: its own rotation is undone. */
export async function interpretPage(pdfjs: Pdfjs, page: PdfPage, isShown: LayerTest): Promise<PageContent> {
  const viewport = page.getViewport({ scale: 1 })
  const list: OperatorList = await page.getOperatorList({ annotationMode: pdfjs.AnnotationMode.DISABLE })
  const fonts = await loadFonts(pdfjs, page, list)
  const drawing = new Drawing(toMatrix(viewport.transform) ?? IDENTITY, fonts, isShown)
  const handlers = handlersOf(pdfjs.OPS)
  for (const [index, operator] of list.fnArray.entries()) {
    handlers.get(operator)?.(drawing, list.argsArray[index] ?? [])
  }
  const unreadable = fontsWithoutUnicode(drawing.shown)
  const glyphs: Glyph[] = []
  for (const shown of drawing.shown) placeGlyphs(shown, unreadable.has(shown.state.fontName), glyphs)
  const { width, height } = viewport
  const { pictures, paints, walls, floors } = drawing
  const seen = seenGlyphs(glyphs, paints, pictures)
  return { width, height, pictures, walls, floors, ...seen, isBare: list.fnArray.length === 0 }
}
