import { test } from 'tap'
import type { OcrEngine, ReadWord } from '../../../src/extract/ocr/engine.ts'
import type { GreyImage } from '../../../src/extract/ocr/image/grey.ts'
import { weighByReadingTwice } from '../../../src/extract/ocr/read-twice.ts'

const TIMES = 2
const image: GreyImage = { width: 400, height: 200, data: new Uint8Array(80_000) }

/** A word in a row of its own, or the next of a row. */
const word = (text: string, confidence: number, at: { line: number; column?: number }): ReadWord => {
  const left = 10 + (at.column ?? 0) * 50
  return { text, confidence, left, right: left + 40, top: at.line * 20, bottom: at.line * 20 + 10, line: at.line }
}

const finer = ({ left, right, top, bottom, ...rest }: ReadWord): ReadWord => ({
  ...rest,
  left: left * TIMES,
  right: right * TIMES,
  top: top * TIMES,
  bottom: bottom * TIMES
})

/** An engine that reads these words, and what it was shown. */
function engineOf(words: readonly ReadWord[]): OcrEngine & { shown: GreyImage[] } {
  const shown: GreyImage[] = []
  return {
    shown,
    read(given) {
      shown.push(given)
      return words.map(finer)
    }
  }
}

const weigh = (words: readonly ReadWord[], again: readonly ReadWord[]): Promise<ReadWord[]> =>
  weighByReadingTwice(engineOf(again), words, { image, times: TIMES })

test('what is read alike twice is as sure as the less sure reading', async t => {
  const read = await weigh([word('2024-10-08', 0.96, { line: 1 })], [word('2024-10-08', 0.93, { line: 1 })])
  t.match(read, [{ text: '2024-10-08', confidence: 0.93 }])
  const specks = await weigh([word('$2,468.00', 0.96, { line: 1 })], [word('$2,468.00.', 0.95, { line: 1 })])
  t.match(specks, [{ text: '$2,468.00', confidence: 0.95 }], 'a speck behind it changes no value')
})

test('what is read otherwise is doubtful, whichever reading is the surer', async t => {
  const read = await weigh(
    [word('2025-10-06', 0.93, { line: 1 }), word('HX-080171', 0.91, { line: 2 }), word('$12', 0.95, { line: 3 })],
    [word('2025-10-08', 0.95, { line: 1 }), word('HX-O80I71', 0.6, { line: 2 })]
  )
  t.match(read, [
    { text: '2025-10-08', confidence: 0.5 },
    { text: 'HX-080171', confidence: 0.5 },
    { text: '$12', confidence: 0.5 }
  ])
})

test('running text without figures is blanked out before the second reading, and stays less sure', async t => {
  const prose = Array.from({ length: 12 }, (_, column) => word('word', 0.97, { line: 1, column }))
  const figure = word('$1,200.00', 0.96, { line: 4 })
  const engine = engineOf([figure])
  const read = await weighByReadingTwice(engine, [...prose, figure], { image, times: TIMES })
  t.ok(read.slice(0, 12).every(({ confidence }) => confidence === 0.85))
  t.equal(read[12]?.confidence, 0.96)
  const [shown] = engine.shown
  t.equal(shown?.data[20 * TIMES * 400 + 11 * TIMES], 255, 'the prose is white')
  t.equal(shown?.data[80 * TIMES * 400 + 11 * TIMES], 0, 'the figure is there')
})
