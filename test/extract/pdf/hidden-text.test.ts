import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Ink, pdfOf } from '../../../bench/documents/generate/ink.ts'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { linesOf, PDF, testExtractor } from '../extractor-fixture.ts'

const extractor = testExtractor(t)

async function drawn(test: Test, draw: (ink: Ink) => void): Promise<DocumentText> {
  const path = join(test.testdir(), 'file.pdf')
  writeFileSync(path, await pdfOf({ font: 'Helvetica', size: 10 }, draw))
  const outcome = await extractor.extract(path, PDF)
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.document
}

const SECRET = 'Policy Number: HX-700131'

t.test('what is drawn over is not read, and what is blacked out leaves marks', async t => {
  const black = await drawn(t, ink => {
    ink.text(72, 100, SECRET)
    ink.fill(140, 96, [100, 16], 'black')
    ink.text(72, 130, 'Named Insured: Ilse Brenner')
  })
  t.match(linesOf(black)[0], /^Policy Number: ?█+$/)
  t.equal(linesOf(black)[1], 'Named Insured: Ilse Brenner')
  t.same(black.flags, ['HIDDEN_TEXT'])
  const white = await drawn(t, ink => {
    ink.text(72, 100, SECRET)
    ink.fill(140, 96, [100, 16], 'white')
  })
  t.same(linesOf(white), ['Policy Number:'])
})

t.test('letters in the colour of what lies under them are not read', async t => {
  const paper = await drawn(t, ink => {
    ink.text(72, 100, SECRET, { colour: 'white' })
    ink.text(72, 130, 'seen')
  })
  t.same(linesOf(paper), ['seen'])
  t.same(paper.flags, ['HIDDEN_TEXT'])
  const bar = await drawn(t, ink => {
    ink.fill(60, 90, [300, 30], '#224466')
    ink.text(72, 100, SECRET, { colour: '#234567' })
    ink.text(72, 130, 'seen')
  })
  t.same(linesOf(bar), ['seen'])
})

t.test('white letters on a bar, text under a line and text drawn again over its cover are seen', async t => {
  const bar = await drawn(t, ink => {
    ink.fill(60, 90, [300, 30], '#224466')
    ink.text(72, 100, SECRET, { colour: 'white' })
  })
  t.same(linesOf(bar), [SECRET])
  t.same(bar.flags, [])
  const struck = await drawn(t, ink => {
    ink.text(72, 100, SECRET)
    ink.fill(72, 104, [120, 1], 'black')
    ink.frame(60, 90, [300, 30])
  })
  t.same(linesOf(struck), [SECRET])
  const again = await drawn(t, ink => {
    ink.text(72, 100, SECRET)
    ink.fill(60, 90, [300, 30], 'black')
    ink.text(72, 100, SECRET, { colour: 'white' })
  })
  t.same(linesOf(again), [SECRET])
})
