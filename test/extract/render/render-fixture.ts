import type { Test } from 'tap'
import type { ExtractFailure } from '../../../src/extract/answer.ts'
import type { DrawnPage, PageHead } from '../../../src/extract/render/drawn-page.ts'
import { createRenderer, type Renderer, type RendererOptions } from '../../../src/extract/render/renderer.ts'
import type { Box } from '../../../src/model/document-text.ts'
import { type Picture, readPng } from './read-png.ts'

const DEFAULTS = { memoryMb: 512, seconds: 60, pages: 2000, slots: 1 }

/** A renderer that is closed after the test. */
export function testRenderer(t: Test, options: Partial<RendererOptions> = {}): Renderer {
  const renderer = createRenderer({ ...DEFAULTS, ...options, tempDir: options.tempDir ?? t.testdir() })
  t.teardown(() => renderer.close())
  return renderer
}

/** The page and its picture, or a failure that names the reason. */
export function shown(drawn: DrawnPage | ExtractFailure): { readonly page: PageHead; readonly picture: Picture } {
  if (!drawn.ok) throw new Error(`not drawn: ${drawn.reason} ${drawn.detail ?? ''}`)
  if (!drawn.page) throw new Error('there is no such page')
  return { page: drawn.page, picture: readPng(drawn.png) }
}

export interface PdfOptions {
  readonly mediaBox?: readonly [number, number, number, number]
  readonly cropBox?: readonly [number, number, number, number]
  readonly rotate?: number
  readonly content: string
}

/** A PDF of one page with Helvetica as /F1. */
export function onePage({ mediaBox = [0, 0, 612, 792], cropBox, rotate, content }: PdfOptions): Buffer {
  const crop = cropBox ? `/CropBox [${cropBox.join(' ')}]` : ''
  const turn = rotate === undefined ? '' : `/Rotate ${rotate}`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${mediaBox.join(' ')}] ${crop} ${turn} /Contents 4 0 R
       /Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1'
  )
}

/** Ink inside a box of shares of the page, widened by some pixels: how many pixels are dark. */
export function inkIn({ width, height, inkAt }: Picture, box: Box, spare = 0): number {
  let dark = 0
  const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, Math.round(value)))
  for (let y = clamp(box[1] * height - spare, height); y < clamp(box[3] * height + spare, height); y++) {
    for (let x = clamp(box[0] * width - spare, width); x < clamp(box[2] * width + spare, width); x++) {
      if (inkAt(x, y) > 0.4) dark += 1
    }
  }
  return dark
}

/** Share of all ink of a picture that lies outside these boxes, widened by some pixels. */
export function inkOutside(picture: Picture, boxes: readonly Box[], spare: number): number {
  const { width, height, inkAt } = picture
  const isInside = (x: number, y: number): boolean =>
    boxes.some(
      ([x0, y0, x1, y1]) =>
        x >= x0 * width - spare && x <= x1 * width + spare && y >= y0 * height - spare && y <= y1 * height + spare
    )
  let all = 0
  let outside = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (inkAt(x, y) <= 0.4) continue
      all += 1
      if (!isInside(x, y)) outside += 1
    }
  }
  return all === 0 ? 1 : outside / all
}
