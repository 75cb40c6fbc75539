import t from 'tap'
import { textOfGlyphName } from '../../../src/extract/pdf/draw/fonts.ts'
import type { Glyph, Picture } from '../../../src/extract/pdf/draw/glyph.ts'
import type { PageContent } from '../../../src/extract/pdf/draw/interpret-page.ts'
import { readPageText } from '../../../src/extract/pdf/layout/page-text.ts'

const WIDTH = 600
const HEIGHT = 800
const SIZE = 10
let run = 0

/** A text operator: letters half as wide as high, starting at a point, along `angle`. */
function shown(text: string, x: number, y: number, change: Partial<Glyph> = {}): Glyph[] {
  run += 1
  const angle = change.angle ?? 0
  return Array.from(text).map((letter, index) => ({
    text: letter,
    x: x + Math.cos(angle) * index * SIZE * 0.5,
    y: y + Math.sin(angle) * index * SIZE * 0.5,
    angle,
    advance: SIZE * 0.5,
    size: SIZE,
    bold: false,
    vertical: false,
    hidden: false,
    colour: null,
    unmapped: false,
    space: letter === ' ',
    run,
    order: run,
    ...change
  }))
}

function pageOf(glyphs: Glyph[], pictures: Picture[] = []): PageContent {
  return { width: WIDTH, height: HEIGHT, glyphs, pictures, walls: [], floors: [], isBare: false, covered: 0 }
}

function linesOf(glyphs: Glyph[], pictures: Picture[] = []): string[] {
  return readPageText(1, pageOf(glyphs, pictures), []).page.lines.map(line => line.text)
}

const wholePage: Picture = { left: 0, top: 0, right: WIDTH, bottom: HEIGHT, order: 0 }

t.test('a page whose content is turned is turned back, its boxes with it', t => {
  const down = Math.PI / 2
  const { page, flags } = readPageText(
    1,
    pageOf([
      ...shown('second line', 400, 100, { angle: down }),
      ...shown('first line', 450, 100, { angle: down }),
      ...shown('7', 20, 20)
    ]),
    []
  )
  t.ok(flags.has('PAGE_TURNED'))
  t.match(page, { width: HEIGHT, height: WIDTH })
  t.strictSame(
    page.lines.slice(0, 2).map(line => line.text),
    ['first line', 'second line']
  )
  const box = page.lines[0]?.box ?? [0, 0, 0, 0]
  t.ok(Math.abs(box[0] - 100 / HEIGHT) < 0.001, 'what was its top is its left')
  t.ok(box[3] - box[1] < 0.05, 'lines lie')
  t.end()
})

t.test('text nobody sees is left out, but kept under the picture of a scan', t => {
  const glyphs = [...shown('seen', 50, 50), ...shown('unseen', 50, 100, { hidden: true }), ...shown('far', 900, 100)]
  const plain = readPageText(1, pageOf(glyphs), [])
  t.strictSame(
    plain.page.lines.map(line => line.text),
    ['seen']
  )
  t.ok(plain.flags.has('HIDDEN_TEXT'))
  const scan = readPageText(1, pageOf(glyphs, [wholePage]), [])
  t.strictSame(
    scan.page.lines.map(line => line.words[0]?.source),
    ['text', 'ocr']
  )
  t.equal(scan.page.imageShare, 1)
  const covered = readPageText(1, pageOf(shown('below', 50, 50), [{ ...wholePage, order: run + 1 }]), [])
  t.equal(covered.page.lines[0]?.words[0]?.source, 'ocr')
  t.end()
})

t.test('columns of running text are read one after the other, rows of a form across', t => {
  const glyphs = Array.from({ length: 8 }, (_, row) => [
    ...shown(`left column row number ${row}`, 50, 100 + row * 12),
    ...shown(`right column row number ${row}`, 320, 100 + row * 12)
  ]).flat()
  const columns = linesOf(glyphs)
  t.match(columns[7], /^left .* 7$/)
  t.match(columns[8], /^right .* 0$/)
  const form = Array.from({ length: 8 }, (_, row) => [
    ...shown(`Value ${row}`, 320, 100.4 + row * 12),
    ...shown(`Label ${row}`, 50, 100 + row * 12)
  ]).flat()
  t.strictSame(linesOf(form).slice(0, 4), ['Label 0', 'Value 0', 'Label 1', 'Value 1'])
  t.end()
})

t.test('a value written over a blank is read without it; an empty blank stays', t => {
  const blank = (y: number): Glyph[] => shown('____________________', 88, y)
  const filled = [...shown('Tenant:', 50, 100), ...blank(100), ...shown('Ann Lee', 92, 99.5)]
  t.strictSame(linesOf(filled), ['Tenant: Ann Lee'])
  t.strictSame(linesOf([...shown('Tenant:', 50, 100), ...blank(100)]), ['Tenant: ____________________'])
  t.end()
})

t.test('parts of a number are joined, amounts that touch are not', t => {
  t.strictSame(linesOf([...shown('509', 50, 100), ...shown('090', 65, 100)]), ['509090'])
  t.strictSame(linesOf([...shown('$500', 50, 100), ...shown('2,500', 70, 100)]), ['$500', '2,500'])
  const singly = Array.from('12,500').flatMap((digit, index) => shown(digit, 50 + index * 5, 100))
  t.strictSame(linesOf(singly), ['12,500'])
  t.end()
})

t.test('letters placed one by one are joined, digits of a table are not', t => {
  const spaced = (text: string): Glyph[] =>
    Array.from(text).flatMap((letter, index) => shown(letter, 50 + index * 9, 100))
  t.strictSame(linesOf(spaced('PREMIUM')), ['PREMIUM'])
  t.strictSame(linesOf(spaced('1234567')), ['1 2 3 4 5 6 7'])
  t.end()
})

t.test('a text layer without letters is not usable, a few unknown signs do no harm', t => {
  const unknown = (count: number): Glyph[] => shown('\ufffd'.repeat(count), 50, 200, { unmapped: true })
  const usable = (glyphs: Glyph[]): boolean => readPageText(1, pageOf(glyphs), []).page.hasUsableText
  t.equal(usable([...shown('a line of good text', 50, 100), ...unknown(1)]), true)
  t.equal(usable([...shown('good', 50, 100), ...unknown(4)]), false)
  t.equal(usable([]), false)
  t.end()
})

t.test('glyph names are read by the rules of the Adobe Glyph List', t => {
  const names = ['fi', 'f_f_i', 'A', 'uni20AC', 'u1F600', 'seven', 'g12', 'toString', 'uniD800', 'uni0000']
  t.strictSame(names.map(textOfGlyphName), ['fi', 'ffi', 'A', '€', '😀', '7', null, null, null, null])
  t.end()
})
