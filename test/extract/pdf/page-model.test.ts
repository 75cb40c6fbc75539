import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Pdf from 'pdfkit'
import t, { type Test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { linesOf, PDF, testExtractor } from '../extractor-fixture.ts'
import { type RawPdf, rawPdf, show, stream, updatedPdf } from './raw-pdf.ts'

const extractor = testExtractor(t)

async function readBytes(test: Test, bytes: Buffer): Promise<DocumentText> {
  const path = join(test.testdir(), 'file.pdf')
  writeFileSync(path, bytes)
  const outcome = await extractor.extract(path, PDF)
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.document
}

const readRaw = (test: Test, file: string): Promise<DocumentText> => readBytes(test, Buffer.from(file, 'latin1'))

const SECRET = show(72, 700, 'SECRET 1')
const SEEN = show(72, 500, 'seen')
const LAYER = '<< /Type /OCG /Name (layer) >>'
const layers = (state: string): string => `/OCProperties << /OCGs [20 0 R] /D << ${state} [20 0 R] >> >>`
const form = (content: string, entries: string): string =>
  stream(content, `/Type /XObject /Subtype /Form /Resources << /Font << /F 3 0 R >> >> ${entries}`)

/** Text that no reader of the page sees, by how it is kept from them. */
const UNSEEN: Readonly<Record<string, RawPdf>> = {
  'neither filled nor stroked': { pages: [`3 Tr ${SECRET} 0 Tr ${SEEN}`] },
  'white on paper': { pages: [`1 1 1 rg ${SECRET} 0 g ${SEEN}`] },
  'off the page': { pages: [show(700, 700, 'SECRET 1') + show(72, -50, 'SECRET 2') + SEEN] },
  'outside of the crop box': { pages: [SECRET + SEEN], page: '/CropBox [0 0 612 600]' },
  'outside of a clip': { pages: [`q 0 0 50 50 re W n ${SECRET} Q ${SEEN}`] },
  'outside of the box of a form': {
    pages: [`/X Do ${SEEN}`],
    resources: '/XObject << /X 20 0 R >>',
    objects: { 20: form(SECRET, '/BBox [0 0 50 50]') }
  },
  'as good as transparent': {
    pages: [`q /G gs ${SECRET} Q ${SEEN}`],
    resources: '/ExtGState << /G << /ca 0.02 >> >>'
  },
  'on a layer that is off': {
    pages: [`/OC /L BDC ${SECRET} EMC ${SEEN}`],
    resources: '/Properties << /L 20 0 R >>',
    catalog: layers('/OFF'),
    objects: { 20: LAYER }
  },
  'in a form on a layer that is off': {
    pages: [`/X Do ${SEEN}`],
    resources: '/XObject << /X 21 0 R >>',
    catalog: layers('/OFF'),
    objects: { 20: LAYER, 21: form(SECRET, '/BBox [0 0 612 792] /OC 20 0 R') }
  },
  'covered by a white box': { pages: [`${SECRET} 1 1 1 rg 60 690 200 30 re f 0 g ${SEEN}`] },
  'far too small': { pages: [show(72, 700, 'SECRET 1', { size: 0.4 }) + SEEN] }
}

for (const [how, file] of Object.entries(UNSEEN)) {
  t.test(`text is not read that is ${how}`, async t => {
    const document = await readRaw(t, rawPdf(file))
    t.same(linesOf(document), ['seen'])
    t.ok(document.flags.includes('HIDDEN_TEXT'), 'and the document says so')
  })
}

t.test('text is read that is seen: on a layer that is on, and where a clip or a box cuts it in part', async t => {
  const layer = {
    pages: [`/OC /L BDC ${SECRET} EMC`],
    resources: '/Properties << /L 20 0 R >>',
    catalog: layers('/ON'),
    objects: { 20: LAYER }
  }
  t.same(linesOf(await readRaw(t, rawPdf(layer))), ['SECRET 1'])
  const cut = await readRaw(t, rawPdf({ pages: [`q 0 703 612 3 re W n ${SECRET} Q`] }))
  t.same(linesOf(cut), ['SECRET 1'])
  t.same(cut.flags, [])
})

t.test('of a file with changes appended the last state is read', async t => {
  const first = rawPdf({ pages: [show(72, 700, 'Policy Number: OLD-1')] })
  const changed = updatedPdf(first, { 101: stream(show(72, 700, 'Policy Number: NEW-2')) })
  const again = updatedPdf(changed, { 101: stream(show(72, 700, 'Policy Number: NEW-3')) })
  t.same(linesOf(await readRaw(t, first)), ['Policy Number: OLD-1'])
  t.same(linesOf(await readRaw(t, again)), ['Policy Number: NEW-3'])
  t.same((await readRaw(t, again)).flags, [])
})

t.test('a file that only its owner may change is opened', async t => {
  const made = new Pdf({ size: 'LETTER', ownerPassword: 'owner', permissions: { copying: false }, pdfVersion: '1.7' })
  const blocks: Buffer[] = []
  made.on('data', (block: Buffer) => blocks.push(block))
  const ended = new Promise(resolve => made.on('end', resolve))
  made.text('Policy Number: HX-700131', 72, 72).end()
  await ended
  const bytes = Buffer.concat(blocks)
  t.ok(bytes.includes('/Encrypt'))
  t.same(linesOf(await readBytes(t, bytes)), ['Policy Number: HX-700131'])
})

t.test('a word stands where it is drawn, in its size and weight, also on a turned page', async t => {
  const content = show(72, 700, 'plain') + show(300, 700, 'heavy', { font: 'B', size: 20 })
  const [plain, heavy] = (await readRaw(t, rawPdf({ pages: [content] }))).pages[0]?.lines ?? []
  t.match(plain?.words[0], { size: 10, bold: false, source: 'text', confidence: 1 })
  t.match(heavy?.words[0], { size: 20, bold: true })
  const [left = 0, top = 0, right = 0, bottom = 0] = heavy?.box ?? []
  t.ok(Math.abs(left * 612 - 300) < 0.1 && Math.abs(right * 612 - 356.7) < 0.1, 'along the line')
  t.ok(Math.abs(top * 792 - (92 - 16)) < 0.1 && Math.abs(bottom * 792 - (92 + 4)) < 0.1, 'across it')
  const turned = await readRaw(t, rawPdf({ pages: [content], page: '/Rotate 90' }))
  t.match(turned.pages[0], { width: 612, height: 792 }, 'turned back, so that its text reads')
  t.same(
    turned.pages[0]?.lines.map(line => line.box),
    [plain?.box, heavy?.box]
  )
  t.ok(turned.flags.includes('PAGE_TURNED'))
})

t.test('parts of words are put together, and words are told apart', async t => {
  const parts = String.raw`BT /F 10 Tf 72 700 Td [(Pol) -20 (icy) -300 (Num) 15 (ber:) -2000 (HX) -30 (-) -30 (700)] TJ ET
    BT /F 10 Tf 72 680 Td (Pol) Tj 12.8 0 Td (icy) Tj 20 0 Td (Term) Tj ET`
  t.same(linesOf(await readRaw(t, rawPdf({ pages: [parts] }))), ['Policy Number:', 'HX-700', 'Policy Term'])
})

t.test('a soft hyphen that is drawn is a hyphen', async t => {
  const file = rawPdf({ pages: [String.raw`BT /F 10 Tf 72 700 Td (HX\255700131) Tj ET`] })
  t.same(linesOf(await readRaw(t, file)), ['HX-700131'])
})

/** Two cells whose texts stand as close as words of one text. */
const CELLS = show(72, 694, 'Limit 25,000') + show(132, 694, 'each person')
const WALLS: Readonly<Record<string, string>> = {
  'a stroked line': '0.5 w 130 690 m 130 705 l S',
  'boxes around the cells': '70 690 60 15 re 130 690 80 15 re S',
  'a thin filled box': '129.5 690 1 15 re f'
}

t.test('lines of a table part its cells, however close these stand', async t => {
  t.same(linesOf(await readRaw(t, rawPdf({ pages: [CELLS] }))), ['Limit 25,000 each person'], 'without lines')
  for (const [how, wall] of Object.entries(WALLS)) {
    t.same(linesOf(await readRaw(t, rawPdf({ pages: [`${wall} ${CELLS}`] }))), ['Limit 25,000', 'each person'], how)
  }
})

t.test('lines elsewhere part nothing, and letters in boxes of their own are one value', async t => {
  const elsewhere = '0.5 w 130 600 m 130 615 l S 72 688 m 300 688 l S'
  t.same(linesOf(await readRaw(t, rawPdf({ pages: [`${elsewhere} ${CELLS}`] }))), ['Limit 25,000 each person'])
  const letters = Array.from('HX7001', (letter, at) => show(100 + at * 9, 694, letter)).join('')
  const boxes = Array.from({ length: 7 }, (_, at) => `${98 + at * 9} 690 m ${98 + at * 9} 705 l S`).join(' ')
  t.equal(linesOf(await readRaw(t, rawPdf({ pages: [`${boxes} ${letters}`] }))).length, 1)
})

t.test('notes on the page are words, hidden ones are not, and a stamp is told', async t => {
  const note = (text: string, more = ''): string =>
    `<< /Type /Annot /Subtype /FreeText /Rect [150 695 300 710] /Contents (${text}) /DA (/F 10 Tf) ${more} >>`
  const notes = await readRaw(
    t,
    rawPdf({
      pages: [show(72, 700, 'Policy Number:')],
      page: '/Annots [20 0 R 21 0 R]',
      objects: { 20: note('HX-700131'), 21: note('HIDDEN', '/F 2') }
    })
  )
  t.same(linesOf(notes), ['Policy Number:', 'HX-700131'])
  t.equal(notes.pages[0]?.lines[1]?.words[0]?.source, 'note')
  const stamp = '<< /Type /Annot /Subtype /Stamp /Rect [150 695 300 710] /AP << /N 21 0 R >> >>'
  const objects = { 20: stamp, 21: form(show(0, 2, 'VOID'), '/BBox [0 0 150 15]') }
  const stamped = await readRaw(t, rawPdf({ pages: [SEEN], page: '/Annots [20 0 R]', objects }))
  t.same(stamped.flags, ['CONTENT_OUTSIDE_READ'])
})
