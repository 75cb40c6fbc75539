import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ExtractOutcome } from '../../../src/extract/answer.ts'
import { linesOf, PDF, testExtractor } from '../extractor-fixture.ts'

const extractor = testExtractor(t)

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const PAGE =
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>'
const TEXT = 'BT /F 12 Tf 72 700 Td (Policy Number: HX-700131) Tj ET'
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const stream = (data: string, entries = ''): string =>
  `<< /Length ${data.length} ${entries} >>\nstream\n${data}\nendstream`

/** The objects of a whole file with one page of text, numbered from 1. */
const whole = (): string[] => [CATALOG, PAGES, PAGE, stream(TEXT), FONT]

interface Ends {
  /** How many bytes the stated place of the table lies beside the true one. */
  readonly off?: number
  readonly end?: 'whole' | 'no table' | 'no trailer'
}

function pdf(objects: readonly string[], { off = 0, end = 'whole' }: Ends = {}): string {
  let body = '%PDF-1.7\n'
  const places: number[] = []
  for (const [at, object] of objects.entries()) {
    places.push(body.length)
    body += `${at + 1} 0 obj\n${object}\nendobj\n`
  }
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n`
  if (end === 'no trailer') return body
  if (end === 'no table') return `${body}${trailer}%%EOF\n`
  const rows = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  return `${body}${table}${trailer}startxref\n${body.length + off}\n%%EOF\n`
}

async function extract(test: Test, text: string): Promise<ExtractOutcome> {
  const path = join(test.testdir(), 'file.pdf')
  writeFileSync(path, text, 'latin1')
  return extractor.extract(path, PDF)
}

const reasonOf = (outcome: ExtractOutcome): string => (outcome.ok ? 'read' : outcome.reason)

t.test('a whole file is read, and one with a wrong offset too', async t => {
  const good = await extract(t, pdf(whole()))
  t.ok(good.ok && linesOf(good.document)[0] === 'Policy Number: HX-700131')
  t.match(await extract(t, pdf(whole(), { off: 7 })), { ok: true, document: { flags: ['XREF_REBUILT'] } })
  t.match(await extract(t, pdf(whole(), { end: 'no table' })), { ok: true, document: { flags: [] } })
})

t.test('a file that ends before its trailer is cut off, whether its pages can be found or not', async t => {
  const text = pdf(whole())
  for (const share of [0.1, 0.35, 0.6]) {
    t.equal(reasonOf(await extract(t, text.slice(0, text.length * share))), 'FILE_TRUNCATED', `${share} of it`)
  }
  t.equal(reasonOf(await extract(t, pdf(whole(), { end: 'no trailer' }))), 'FILE_TRUNCATED')
})

t.test('a file whose trailer leads to no page is damaged, not cut off', async t => {
  const noPages = `%PDF-1.4\n1 0 obj\n<<\n/Pages 2 0 R\n2 0 obj\n<< /Resources >>\ntrailer\n<< /Root 1 0 R >>\n`
  t.equal(reasonOf(await extract(t, noPages)), 'FILE_CORRUPT', 'at its end')
  const first = `%PDF-1.3\n1 0 obj\n<< /Linearized 1 /L 90000 /N 2 >>\nendobj\ntrailer\n<< /Size 90 /Root 24 0 R >>\nstartxref\n0\n%%EOF\n`
  t.equal(reasonOf(await extract(t, `${first}24 0 obj\n${'x'.repeat(4000)}`)), 'FILE_CORRUPT', 'at its start')
})

t.test('pages that had to be made up and have nothing on them are damage', async t => {
  const looped = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /S /JavaScript /JS (f) >>']
  t.equal(reasonOf(await extract(t, pdf(looped, { end: 'no table' }))), 'FILE_CORRUPT', 'no page tree')
  const bare = [CATALOG, PAGES, PAGE, stream(''), FONT]
  t.equal(reasonOf(await extract(t, pdf(bare, { end: 'no table' }))), 'FILE_CORRUPT', 'an empty page')
  t.equal(reasonOf(await extract(t, pdf(bare, { off: 900 }))), 'FILE_CORRUPT', 'a table elsewhere')
  t.match(await extract(t, pdf(bare)), { ok: true }, 'a whole file with an empty page')
  const drawn = [CATALOG, PAGES, PAGE, stream('72 72 m 200 200 l S'), FONT]
  t.match(await extract(t, pdf(drawn, { end: 'no table' })), { ok: true }, 'a page with lines on it')
})

t.test('a page tree at odds with its pages means that some are lost', async t => {
  const counts = { 'no number': '6 0 R', 'no object': '60 0 R', 'more pages': '7', 'far more': '213804087' }
  for (const [name, count] of Object.entries(counts)) {
    const objects = [...whole(), stream('2')]
    objects[1] = `<< /Type /Pages /Kids [3 0 R] /Count ${count} >>`
    t.match(await extract(t, pdf(objects)), { ok: true, document: { flags: ['PAGE_DAMAGED'] } }, name)
  }
  const referred = [...whole(), '1']
  referred[1] = '<< /Type /Pages /Kids [3 0 R] /Count 6 0 R >>'
  t.match(await extract(t, pdf(referred)), { ok: true, document: { flags: [] } }, 'a count in an object of its own')
})

t.test('a stream packed in a way the standard does not know is not read', async t => {
  for (const filter of ['/BrotliDecode', '[/FlateDecode /ZstdDecode]', '/Flat#65Decod']) {
    const objects = whole()
    objects[3] = stream('x', `/Filter ${filter}`)
    t.equal(reasonOf(await extract(t, pdf(objects))), 'FILE_CORRUPT', filter)
  }
  const hex = whole()
  hex[3] = stream(`${Buffer.from(TEXT).toString('hex')}>`, '/Filter [/ASCIIHexD#65code]')
  t.match(await extract(t, pdf(hex)), { ok: true }, 'a name written with an escape')
  const signed = [...whole(), '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached >>', stream('x')]
  t.match(await extract(t, pdf(signed)), { ok: true }, 'the handler of a signature')
})
