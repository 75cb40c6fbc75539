import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { inWritingOrder, readingText } from '../../../src/extract/pdf/layout/right-to-left.ts'
import { linesOf, PDF, testExtractor } from '../extractor-fixture.ts'
import { rawPdf, show, stream } from './raw-pdf.ts'

const extractor = testExtractor(t)

/** A font whose small letters `a` to `z` are the Hebrew letters from alef on, each half as wide as high. */
const CMAP = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /H def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfrange <61> <7A> <05D0> endbfrange
2 beginbfrange <20> <20> <0020> <28> <39> <0028> endbfrange
endcmap end end`
const HEBREW = {
  resources: '/ExtGState << >>',
  objects: {
    3: `<< /Type /Font /Subtype /Type1 /BaseFont /Hebrew /FirstChar 32 /LastChar 122 /Widths [${Array(91).fill(500).join(' ')}] /ToUnicode 20 0 R >>`,
    20: stream(CMAP)
  }
}

async function linesOfPage(test: Test, content: string): Promise<string[]> {
  const path = join(test.testdir(), 'file.pdf')
  writeFileSync(path, rawPdf({ pages: [content], ...HEBREW }), 'latin1')
  const outcome = await extractor.extract(path, PDF)
  if (!outcome.ok) throw new Error(outcome.reason)
  return linesOf(outcome.document)
}

/** Letters in the order they are read, each placed by itself to the left of the one before. */
const placedOneByOne = (text: string): string =>
  Array.from(text)
    .map((letter, at) => show(400 - at * 5, 700, letter))
    .join('')

t.test('text that runs from right to left is read in the order it is written, however it is drawn', async t => {
  t.same(await linesOfPage(t, show(200, 700, 'fed cba')), ['אבג דהו'], 'as it stands on the page')
  t.same(await linesOfPage(t, placedOneByOne('abc def')), ['אבג דהו'], 'letter by letter, each further left')
})

t.test('numbers in it, brackets and Latin text keep their own order', async t => {
  t.same(await linesOfPage(t, show(200, 700, '(cb) 12,345.60 a')), ['א 12,345.60 (בג)'])
  t.equal(readingText(['G', 'm', 'b', 'H', ' ', 'ג', 'ב', 'א']), 'אבג GmbH')
  const words = ['Insured:', 'ב', 'א'].map(text => ({ text }))
  t.same(
    inWritingOrder(words).map(word => word.text),
    ['Insured:', 'א', 'ב'],
    'a value behind a label'
  )
  t.end()
})

t.test('letters as they are drawn are the letters they are', t => {
  t.equal(readingText(['ﺔ', 'ﻴ', 'ﺑ', 'ﺮ', 'ﻋ']), 'عربية')
  t.equal(readingText(['ﷲ']), 'الله', 'a word drawn as one sign')
  t.end()
})

t.test('text from left to right is left alone', t => {
  const words = ['Policy', 'Number:', '(HX-1)'].map(text => ({ text }))
  t.equal(inWritingOrder(words), words)
  t.end()
})
