import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { encodePng } from '../../../src/extract/render/png.ts'
import { DOCX, fixture, PDF } from '../extractor-fixture.ts'
import { inkIn, onePage, shown, testRenderer } from './render-fixture.ts'

const SECONDS = 5
const START_SECONDS = 10
const MEGABYTE = 1024 * 1024
const PAGE = { number: 1, size: 'medium' } as const

t.test('every hostile document ends as a picture or an outcome within its ceilings', async t => {
  const folder = t.testdir()
  const renderer = testRenderer(t, { memoryMb: 256, seconds: SECONDS, tempDir: join(folder, 'draw') })
  await renderer.draw(fixture('pdf/pt01.pdf'), PDF, PAGE)
  const before = process.memoryUsage.rss()
  const outcomes = new Map<string, string>()
  for (const file of readdirSync(fixture('hostile'))) {
    const started = performance.now()
    const drawn = await renderer.draw(fixture(`hostile/${file}`), file.endsWith('.docx') ? DOCX : PDF, PAGE)
    const seconds = (performance.now() - started) / 1000
    t.ok(seconds < SECONDS + 1 + START_SECONDS, `${file} ends in time`)
    outcomes.set(file, drawn.ok ? 'drawn' : `${drawn.reason} ${drawn.detail ?? ''}`)
    shown(await renderer.draw(fixture('pdf/pt01.pdf'), PDF, PAGE))
  }
  t.equal(outcomes.size, 11)
  t.ok(process.memoryUsage.rss() - before < 64 * MEGABYTE, 'the memory of this process stays its own')
  for (const bomb of ['bomb_double_flate.pdf', 'xobject_exponential.pdf']) {
    t.match(outcomes.get(bomb), /^EXTRACTION_(?:TIMEOUT|MEMORY|CRASH) (?:limit_(?:time|memory)|crashed)$/, bomb)
  }
  t.match(outcomes.get('xxe.docx'), 'FILE_CORRUPT', 'a document type is refused')
})

t.test('a page of any size is a picture of bounded size, or refused', async t => {
  const folder = t.testdir()
  const renderer = testRenderer(t, { memoryMb: 256, seconds: SECONDS, tempDir: join(folder, 'draw') })
  const path = join(folder, 'page.pdf')
  const content = 'BT /F1 14 Tf 20 20 Td (x) Tj ET'
  const draw = async (mediaBox: readonly [number, number, number, number]) => {
    writeFileSync(path, onePage({ mediaBox, content }))
    return renderer.draw(path, PDF, { number: 1, size: 'large' })
  }
  const sizes: readonly (readonly [readonly [number, number, number, number], readonly [number, number]])[] = [
    [
      [0, 0, 14_400, 14_400],
      [2000, 2000]
    ],
    [
      [0, 0, 100_000, 100_000],
      [2000, 2000]
    ],
    [
      [0, 0, 3, 100_000],
      [1, 6000]
    ],
    [
      [0, 0, 100_000, 3],
      [2000, 1]
    ],
    [
      [0, 0, 612, 6120],
      [600, 6000]
    ],
    [
      [0, 0, 0.5, 0.5],
      [2000, 2000]
    ]
  ]
  for (const [box, [width, height]] of sizes) {
    const { picture } = shown(await draw(box))
    t.strictSame([picture.width, picture.height], [width, height], box.join(' '))
  }
  const endless = await draw([0, 0, 1e9, 1e9])
  t.match(endless, { ok: false, reason: 'FILE_CORRUPT', detail: 'page_damaged' })
})

/** A PNG that says it has so many pixels, with no more data than a small one has. */
function pngOf(width: number, height: number): Buffer {
  const png = Buffer.from(encodePng({ width: 1, height: 1, rgb: new Uint8Array(3) }))
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}

/** A page that shows a picture of so many pixels, all of them there, packed to almost nothing. */
function pictureOf(width: number, height: number): Buffer {
  const data = deflateSync(Buffer.alloc(Math.ceil(width / 8) * height), { level: 9 })
  return onePage({
    content: `q 500 0 0 500 50 50 cm BI /W ${width} /H ${height} /CS /G /BPC 1 /F [/AHx /Fl] ID ${data.toString('hex')}> EI Q`
  })
}

t.test('pictures of too many pixels are refused, and none takes the process beyond its ceiling', async t => {
  const folder = t.testdir()
  const renderer = testRenderer(t, { memoryMb: 256, seconds: SECONDS, tempDir: join(folder, 'draw') })
  const path = join(folder, 'picture')
  for (const [width, height] of [
    [100_000, 100_000],
    [100_000, 1],
    [0xffffffff, 0xffffffff],
    [0, 5]
  ] as const) {
    writeFileSync(path, pngOf(width, height))
    const drawn = await renderer.draw(path, 'image/png', PAGE)
    t.match(drawn, { ok: false, reason: /^(?:EXTRACTION_FAILED|FILE_CORRUPT)$/ }, `${width} by ${height}`)
  }
  writeFileSync(path, pictureOf(40_000, 40_000))
  const large = await renderer.draw(path, PDF, PAGE)
  t.comment(large.ok ? 'drawn' : `${large.reason} ${large.detail}`)
  t.ok(large.ok || /^EXTRACTION_(?:TIMEOUT|MEMORY)$/.test(large.reason))
  copyFileSync(fixture('pdf/pt01.pdf'), path)
  shown(await renderer.draw(path, PDF, PAGE))
})

t.test('pictures are shown as themselves, upright', async t => {
  const folder = t.testdir()
  const renderer = testRenderer(t, { tempDir: join(folder, 'draw') })
  const ocr = (name: string): string => fixture(`../ocr/${name}`)
  for (const [name, type] of [
    ['plain.png', 'png'],
    ['alpha.png', 'png'],
    ['palette.png', 'png'],
    ['grey.jpg', 'jpeg'],
    ['cmyk.jpg', 'jpeg'],
    ['fax4.tiff', 'tiff'],
    ['lzw.tiff', 'tiff']
  ] as const) {
    const { page, picture } = shown(await renderer.draw(ocr(name), `image/${type}`, PAGE))
    t.equal(page.kind, 'drawn')
    const share = inkIn(picture, [0, 0, 1, 1]) / (picture.width * picture.height)
    t.ok(share > 0.001 && share < 0.2, `${name}: ${share} of it is ink`)
  }
  const second = await renderer.draw(ocr('two-pages.tiff'), 'image/tiff', { number: 2, size: 'small' })
  t.match(second, { ok: true, pageCount: 2 })
  t.match(await renderer.draw(ocr('two-pages.tiff'), 'image/tiff', { number: 3, size: 'small' }), { page: null })
})
