import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { linesOf, picture, recognise, SHOWN, testRecogniser } from './ocr-fixture.ts'

const scan = (name: string): string => fileURLToPath(new URL(`../../fixtures/ocr/scans/${name}.pdf`, import.meta.url))

test('of a document only the pages without text are recognised', async t => {
  const recogniser = await testRecogniser(t)
  const read = await recognise(recogniser, scan('mixed'))
  if (!('pages' in read)) throw new Error(read.reason)
  const sources = read.pages.map(page => new Set(page.lines.flatMap(line => line.words.map(word => word.source))))
  t.strictSame(sources, [new Set(['text']), new Set(['ocr'])])
  t.strictSame(linesOf(read, 1), ['Premium schedule', 'Total Premium: $2,468.00'])
})

test('a scan that lies on its side is turned, and so is its page', async t => {
  const recogniser = await testRecogniser(t)
  const read = await recognise(recogniser, scan('sideways'))
  t.strictSame(linesOf(read), [
    'Policy Number: HX-220533',
    'Named Insured: Orchard Way Clinic',
    'Effective Date: 2024-08-05',
    'Expiration Date: 2025-08-05',
    'Total Premium: $6,250.75'
  ])
  t.ok('pages' in read && read.flags.includes('PAGE_TURNED'))
})

test('what cannot be told from a bad scan is not sure', async t => {
  const recogniser = await testRecogniser(t)
  const read = await recognise(recogniser, scan('coarse'))
  if (!('pages' in read)) throw new Error(read.reason)
  const words = read.pages.flatMap(page => page.lines.flatMap(line => line.words))
  const number = words.find(word => word.text.startsWith('HX'))
  t.ok(number && (number.text === 'HX-O80I71' || number.confidence < 0.7), 'a wrong number is not read as a sure one')
})

test('a picture that is no picture, or cut off, or none that is read, is refused with its reason', async t => {
  const recogniser = await testRecogniser(t)
  const folder = t.testdir()
  const cut = (name: string, bytes: number): string => {
    const path = join(folder, name)
    writeFileSync(path, readFileSync(picture(name)).subarray(0, bytes))
    return path
  }
  t.match(await recognise(recogniser, cut('plain.png', 5000)), { reason: 'FILE_TRUNCATED' })
  t.match(await recognise(recogniser, cut('fax4.tiff', 1000)), { reason: 'FILE_TRUNCATED' })
  t.match(await recognise(recogniser, cut('grey.jpg', 100)), { reason: /FILE_TRUNCATED|FILE_CORRUPT/ })
  t.match(await recognise(recogniser, picture('plain.png'), 'image/heic'), { reason: 'FILE_TYPE_UNSUPPORTED' })
  t.strictSame(linesOf(await recognise(recogniser, picture('plain.png'))), SHOWN, 'and the next is read')
})

test('a picture of more pixels than are unpacked is not touched', async t => {
  const recogniser = await testRecogniser(t)
  const png = readFileSync(picture('plain.png'))
  png.writeUInt32BE(60_000, 16)
  png.writeUInt32BE(60_000, 20)
  const path = join(t.testdir(), 'huge.png')
  writeFileSync(path, png)
  t.match(await recognise(recogniser, path), { reason: 'EXTRACTION_FAILED', detail: 'limit_pixels' })
})

test('pages beyond the most that are recognised stay unread, and the document says so', async t => {
  const recogniser = await testRecogniser(t, { recognisedPages: 1 })
  const read = await recognise(recogniser, picture('two-pages.tiff'))
  if (!('pages' in read)) throw new Error(read.reason)
  t.strictSame(
    read.pages.map(page => page.hasUsableText),
    [true, false]
  )
  t.ok(read.flags.includes('PAGES_NOT_RECOGNISED'))
})
