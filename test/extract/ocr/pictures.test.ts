import { test } from 'tap'
import { linesOf, picture, recognise, SHOWN, testRecogniser } from './ocr-fixture.ts'

const PICTURES = [
  'plain.png', 'alpha.png', 'palette.png', 'bilevel.png', 'deep.png',
  'grey.jpg', 'cmyk.jpg', 'orientation.jpg', 'jpeg2000.pdf',
  'fax3.tiff', 'fax4.tiff', 'runs.tiff', 'lzw.tiff', 'lzw-predictor.tiff', 'deflate.tiff',
  'packbits.tiff', 'jpeg.tiff', 'raw.tiff', 'rgba.tiff', 'palette.tiff', 'two-pages.tiff'
] // biome-ignore format: a list

test('pictures of every kind are read as documents', async t => {
  const recogniser = await testRecogniser(t)
  for (const name of PICTURES) {
    const read = await recognise(recogniser, picture(name))
    t.strictSame(linesOf(read), SHOWN, name)
  }
})

test('every page of a TIFF is read, the one upside down too', async t => {
  const recogniser = await testRecogniser(t)
  const read = await recognise(recogniser, picture('two-pages.tiff'))
  t.strictSame(linesOf(read, 1), SHOWN)
  t.ok('pages' in read && read.flags.includes('PAGE_TURNED'))
  t.ok('pages' in read && read.pages.length === 2)
})

test('words of a picture say where they stand, how sure they are and what they come from', async t => {
  const recogniser = await testRecogniser(t)
  const read = await recognise(recogniser, picture('plain.png'))
  if (!('pages' in read)) throw new Error(read.reason)
  const [page] = read.pages
  t.same(
    [page?.width, page?.height].map(side => Math.round(side ?? 0)),
    [300, 210],
    'points by its resolution'
  )
  const words = page?.lines.flatMap(line => line.words) ?? []
  t.ok(words.every(word => word.source === 'ocr' && word.confidence > 0.8 && word.confidence < 1))
  const amount = words.find(word => word.text === '$2,468.00')
  // Drawn at 30 points from the left, 210 - 58 = 152 from the top, 11 points high.
  t.ok(amount && Math.abs(amount.box[3] - 152 / 210) < 0.02, 'its foot stands on the base line')
  t.ok(amount && amount.size > 9 && amount.size < 13, `size ${amount?.size}`)
})
