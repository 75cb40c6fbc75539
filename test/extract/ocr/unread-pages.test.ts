import { test } from 'tap'
import type { OcrEngine, ReadWord } from '../../../src/extract/ocr/engine.ts'
import type { GreyImage } from '../../../src/extract/ocr/image/grey.ts'
import { recognisePage } from '../../../src/extract/ocr/recognise-page.ts'
import { hasUnreadPages, isUnread } from '../../../src/extract/ocr/unread-pages.ts'
import type { Line, Page, Word } from '../../../src/model/document-text.ts'

const lineOf = (text: string, top: number, source: Word['source'] = 'text'): Line => {
  const words = text.split(' ').map<Word>((word, at) => {
    const box = [0.1 + at * 0.2, top, 0.25 + at * 0.2, top + 0.05] as const
    return { text: word, box, size: 11, bold: false, source, confidence: 1 }
  })
  return { text, words, box: [0.1, top, 0.9, top + 0.05] }
}

const pageOf = (part: Partial<Page>): Page => ({
  number: 1,
  width: 200,
  height: 200,
  lines: [],
  hasUsableText: true,
  imageShare: 0,
  ...part
})

const PROSE = Array.from({ length: 10 }, (_, at) => lineOf('some words of text', 0.05 + at * 0.08))

test('pages whose text is not what they show are unread, all others are not', t => {
  const pages: readonly (readonly [string, boolean, Partial<Page>])[] = [
    ['a scan', true, { hasUsableText: false, imageShare: 1 }],
    ['letters as curves', true, { hasUsableText: false }],
    ['a scan with a stamp', true, { imageShare: 0.9, lines: [lineOf('RECEIVED JUN 4 2024', 0.9)] }],
    ['signs in place of letters', true, { lines: [lineOf('"7+%- )*(&,', 0.1)] }],
    ['text', false, { lines: PROSE }],
    ['text over a background', false, { imageShare: 1, lines: PROSE }],
    ['text beside a picture', false, { imageShare: 0.4, lines: [lineOf('Page 1', 0.9)] }],
    ['a form full of blanks', false, { lines: [lineOf('Name: ______________ $________ ........', 0.1)] }]
  ]
  for (const [name, wanted, part] of pages) t.equal(isUnread(pageOf(part)), wanted, name)
  const document = { kind: 'paged', paragraphs: [], flags: [], pageCount: 2 } as const
  t.equal(hasUnreadPages({ ...document, pages: [pageOf({ lines: PROSE }), pageOf({ hasUsableText: false })] }), true)
  t.equal(hasUnreadPages({ ...document, kind: 'flow', pages: [] }), false)
  t.end()
})

/** A page of 400 by 400 pixels with a row of ink, so that it is no blank one. */
function drawn(times: number): GreyImage {
  const side = 400 * times
  const data = new Uint8Array(side * side).fill(255)
  for (let row = 20; row < 40; row += 4) data.fill(0, row * side + 40, row * side + 360)
  return { width: side, height: side, data }
}

const read = (text: string, top: number, at = 0): ReadWord => ({
  text,
  left: 40 + at * 80,
  right: 100 + at * 80,
  top: top * 400,
  bottom: top * 400 + 20,
  confidence: 0.95,
  line: top * 100
})

const engineOf = (words: readonly ReadWord[]): OcrEngine => ({
  read: ({ width }) =>
    words.map(word => {
      const times = width / 400
      const { left, right, top, bottom } = word
      return { ...word, left: left * times, right: right * times, top: top * times, bottom: bottom * times }
    })
})

test('a stamp is kept as it is written, and what the scan under it says is added', async t => {
  const stamp = lineOf('RECEIVED JUN', 0.9)
  const engine = engineOf([read('Policy', 0.1), read('HX-1', 0.1, 1), read('RECEIVED', 0.9), read('IUN', 0.9, 1)])
  const page = await recognisePage(engine, pageOf({ imageShare: 1, lines: [stamp] }), drawn)
  t.strictSame(
    page.lines.map(line => [line.text, line.words[0]?.source]),
    [
      ['Policy HX-1', 'ocr'],
      ['RECEIVED JUN', 'text']
    ]
  )
})

test('text that is no letters makes room for what is recognised', async t => {
  const page = pageOf({ lines: [lineOf('"7+%- )*(&,', 0.1), lineOf('Filled', 0.5, 'form')] })
  const recognised = await recognisePage(engineOf([read('Phone', 0.1)]), page, drawn)
  t.strictSame(
    recognised.lines.map(line => line.text),
    ['Phone', 'Filled']
  )
})
