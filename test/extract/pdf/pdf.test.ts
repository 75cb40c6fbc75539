import t from 'tap'
import { fixture, linesOf, PDF, read, testExtractor } from '../extractor-fixture.ts'

const extractor = testExtractor(t)

t.test('ligatures that the font maps to NUL are read by their glyph names', async t => {
  const document = await read(extractor, 'pdf/pt01.pdf', PDF)
  t.match(linesOf(document), ['Policy Number: HX-700131', 'Named Insured: Pacific Reflections LLC'])
  t.notOk(JSON.stringify(document).includes(String.raw`\u0000`))
})

t.test('text drawn twice is read once, real double letters stay', async t => {
  const document = await read(extractor, 'pdf/pt03.pdf', PDF)
  const lines = linesOf(document)
  t.match(lines, ['Policy Number: HX-112233', 'Named Insured: Bookkeeper Hollow Supply'])
  t.ok(lines.includes('Total Premium: $1,188.00'))
  t.equal(document.pages[0]?.lines[0]?.words[0]?.bold, true, 'drawn twice means bold')
  t.equal(document.pages[0]?.lines[2]?.words[0]?.bold, false)
})

t.test('letter-spaced text is put together', async t => {
  const lines = linesOf(await read(extractor, 'pdf/pt05.pdf', PDF))
  t.match(lines, ['DECLARATIONS', 'Policy Number: HX-204417', 'Named Insured: Quarry Road Dental PC'])
  t.ok(lines.includes('Total Premium: $4,731.00'))
})

t.test('a rotated page reads as displayed', async t => {
  const document = await read(extractor, 'pdf/pt07.pdf', PDF)
  const page = document.pages[0]
  t.match(page, { width: 792, height: 612 })
  t.match(linesOf(document), ['Policy Number:', 'HX-881204', 'Named Insured:', 'Copperfield Roofing Inc'])
  const [label, value] = page?.lines ?? []
  t.equal(label?.box[1], value?.box[1], 'label and value stand on one row')
  t.ok((label?.box[2] ?? 1) < (value?.box[0] ?? 0), 'the value stands right of its label')
})

t.test('values of form fields are words in their boxes', async t => {
  const document = await read(extractor, 'pdf/pt09.pdf', PDF)
  const lines = document.pages[0]?.lines ?? []
  t.match(linesOf(document), ['Policy Number:', 'HX-415500', 'Named Insured:', 'Saltmarsh Kayak Rentals'])
  t.equal(lines[1]?.words[0]?.source, 'form')
  t.ok(linesOf(document).includes('☒'))
})

t.test('numbers of two columns that touch stay two', async t => {
  const lines = linesOf(await read(extractor, 'pdf/pt11.pdf', PDF))
  t.ok(lines.includes('$500,000'))
  t.ok(lines.includes('2,500'))
})

t.test('running headers are kept on every page', async t => {
  const document = await read(extractor, 'pdf/pt13.pdf', PDF)
  t.equal(document.pageCount, 3)
  for (const page of [0, 1, 2]) t.ok(linesOf(document, page).includes('Policy Number: HX-733902'))
})

t.test('a font without Unicode makes its page unusable, and no garbage is given', async t => {
  const document = await read(extractor, 'pdf/pt15.pdf', PDF)
  t.equal(document.pages[0]?.hasUsableText, false)
  t.ok(document.flags.includes('UNMAPPED_GLYPHS'))
  t.notMatch(linesOf(document).join(''), /[A-Za-z0-9]/)
})

t.test('vertical Japanese text is read from the top down', async t => {
  const document = await read(extractor, 'pdf/pt17.pdf', PDF)
  t.ok(linesOf(document).includes('青空文具店'))
})

t.test('a page that is a picture says so', async t => {
  const document = await read(extractor, 'pdf/oc01.pdf', PDF)
  t.match(document.pages[0], { hasUsableText: true, imageShare: 0 })
  t.match(document.pages[1], { hasUsableText: false, imageShare: 1 })
})

t.test('what is wrong with a file is a reason', async t => {
  t.strictSame(await extractor.extract(fixture('pdf/pf01.pdf'), PDF), { ok: false, reason: 'FILE_ENCRYPTED' })
  t.strictSame(await extractor.extract(fixture('pdf/pf03.pdf'), PDF), { ok: false, reason: 'FILE_TRUNCATED' })
  t.match((await read(extractor, 'pdf/pf05.pdf', PDF)).flags, ['XREF_REBUILT'])
  t.strictSame(await extractor.extract(fixture('pdf/pf05.pdf'), 'image/png'), {
    ok: false,
    reason: 'FILE_TYPE_UNSUPPORTED'
  })
})

t.test('a document over the page limit is refused', async t => {
  const small = testExtractor(t, { pages: 2 })
  t.strictSame(await small.extract(fixture('pdf/pt13.pdf'), PDF), { ok: false, reason: 'PAGE_LIMIT' })
})
