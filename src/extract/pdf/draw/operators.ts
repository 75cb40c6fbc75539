import type { Pdfjs } from '../pdfjs.ts'
import { type Drawing, number } from './drawing.ts'
import { IDENTITY, toMatrix } from './geometry.ts'

export type Arguments = readonly unknown[]

/** Carries one operator out on a drawing. */
export type Handler = (page: Drawing, args: Arguments) => void

const colourOf = (value: unknown): string | null =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : null

/** What fills, clips and colours do: they cover text, or show it in the colour of its ground. */
function paintHandlers(OPS: Pdfjs['OPS']): [number, Handler][] {
  const pattern: Handler = page => page.set({ fill: null })
  const clip: Handler = page => page.clipByNextPath()
  const fills = new Set([
    OPS.fill,
    OPS.eoFill,
    OPS.fillStroke,
    OPS.eoFillStroke,
    OPS.closeFillStroke,
    OPS.closeEOFillStroke
  ])
  const strokes = new Set([
    OPS.stroke,
    OPS.closeStroke,
    OPS.fillStroke,
    OPS.eoFillStroke,
    OPS.closeFillStroke,
    OPS.closeEOFillStroke
  ])
  const path: Handler = (page, args) => {
    const operator = Number(args[0])
    const drawn = { isFilled: fills.has(operator), isStroked: strokes.has(operator) }
    page.path(Array.isArray(args[1]) ? args[1][0] : null, args[2], drawn)
  }
  return [
    [OPS.setFillRGBColor, (page, args) => page.set({ fill: colourOf(args[0]) })],
    [OPS.setFillColorN, pattern],
    [OPS.setFillTransparent, pattern],
    [OPS.clip, clip],
    [OPS.eoClip, clip],
    [OPS.constructPath, path],
    [OPS.shadingFill, page => page.paintAll()]
  ]
}

/** What each operator does; the others show nothing and cover nothing. */
export function handlersOf(OPS: Pdfjs['OPS']): ReadonlyMap<number, Handler> {
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
        page.clipToBox(args[1])
      }
    ],
    [OPS.paintFormXObjectEnd, page => page.restore()],
    [OPS.beginGroup, page => page.beginGroup()],
    [OPS.endGroup, page => page.endGroup()],
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
    ...paintHandlers(OPS),
    [OPS.paintImageXObject, picture],
    [OPS.paintImageMaskXObject, picture],
    [OPS.paintInlineImageXObject, picture]
  ])
}
