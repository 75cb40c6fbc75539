import type { Pdfjs } from '../pdfjs.ts'
import { type Drawing, number } from './drawing.ts'
import { IDENTITY, toMatrix } from './geometry.ts'

export type Arguments = readonly unknown[]

/** Carries one operator out on a drawing. */
export type Handler = (page: Drawing, args: Arguments) => void

/** What each operator does; the others (paths, colours, shadings) show no text. */
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
