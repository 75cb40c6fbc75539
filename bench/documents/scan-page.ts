import { type GreyImage, rotate, toGrey, turnQuarters } from '../../src/extract/ocr/image/grey.ts'
import type { OpenPdf } from '../../src/extract/render/pdfium.ts'

export interface Scanner {
  readonly dpi: number
  /** Strength of the grain, in shades of 255. */
  readonly noise: number
  /** Most degrees a page lies askew. */
  readonly skew: number
  /** Quarters a page is turned, clockwise. */
  readonly turn: number
  readonly random: () => number
}

/** What a scanner makes of a page: not quite white, not quite black, with grain and not quite straight. */
export function scanPage(pdf: OpenPdf, page: number, { dpi, noise, skew, turn, random }: Scanner): GreyImage {
  const drawn = pdf.draw(page, 0, (width, height) => ({
    width: Math.round((width * dpi) / 72),
    height: Math.round((height * dpi) / 72)
  }))
  if (!drawn) throw new Error(`page ${page} cannot be drawn`)
  const clean = turnQuarters(toGrey(drawn), turn)
  const level = skew === 0 ? clean : rotate(clean, ((random() * 2 - 1) * skew * Math.PI) / 180)
  const data = level.data.map(shade =>
    Math.max(0, Math.min(255, shade * 0.85 + 25 + (random() + random() - 1) * 2 * noise))
  )
  return { ...level, data }
}
