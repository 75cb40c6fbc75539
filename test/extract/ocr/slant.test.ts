import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { imageAsPdf } from '../../../src/extract/image/image-as-pdf.ts'
import { type GreyImage, rotate, toGrey, turnQuarters } from '../../../src/extract/ocr/image/grey.ts'
import { slantOf } from '../../../src/extract/ocr/image/slant.ts'
import { loadPdfium, openPdf } from '../../../src/extract/render/pdfium.ts'
import { picture } from './ocr-fixture.ts'

const DEGREE = Math.PI / 180

async function page(): Promise<GreyImage> {
  const pdf = openPdf(await loadPdfium(), imageAsPdf(readFileSync(picture('plain.png')), 'image/png', 1) as Buffer)
  if (typeof pdf === 'string') throw new Error(pdf)
  const drawn = pdf.draw(1, 0, (width, height) => ({ width: Math.round(width * 2), height: Math.round(height * 2) }))
  pdf.close()
  if (!drawn) throw new Error('not drawn')
  return toGrey(drawn)
}

test('the direction of lines is found, however the page lies', async t => {
  const upright = await page()
  for (const degrees of [-6, -2.5, -0.7, 0, 0.5, 3, 7]) {
    for (const quarters of [0, 1, 2, 3]) {
      const slant = slantOf(turnQuarters(rotate(upright, degrees * DEGREE), quarters))
      t.equal(slant?.sideways, quarters % 2 === 1, `${degrees} degrees, ${quarters} quarters: side`)
      const found = (slant?.angle ?? 0) / DEGREE
      t.ok(Math.abs(found - degrees) < 0.35, `${degrees} degrees, ${quarters} quarters: found ${found.toFixed(2)}`)
    }
  }
})

test('a page without ink has no direction', t => {
  t.equal(slantOf({ width: 100, height: 100, data: new Uint8Array(10_000).fill(255) }), null)
  t.end()
})

test('turning by quarters goes round', async t => {
  const upright = await page()
  t.same(turnQuarters(turnQuarters(upright, 1), 3), upright)
  t.same(turnQuarters(turnQuarters(upright, 1), 1), turnQuarters(upright, 2))
})
