import { test } from 'tap'
import type { DocumentText, Word } from '../../../src/model/document-text.ts'
import type { Evidence } from '../../../src/profiles/find/evidence.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { placeBack } from '../../../src/profiles/find/recognised/place-back.ts'
import { weighRecognised } from '../../../src/profiles/find/recognised/recognised-words.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'

const CONTEXT = { today: '2026-01-15', jurisdiction: '53033' }
const LINES = [
  ['Policy', 'Number:', 'HX-150901'],
  ['Named', 'Insured:', 'Millpond', 'Veterinary'],
  ['Effective', 'Date:', '2024-06-10'],
  ['Expiration', 'Date:', '2025-06-10'],
  ['Total', 'Premium:', '$2,468.00']
]

type Sureness = (text: string) => Pick<Word, 'source' | 'confidence'>

/** A page of these lines, each word as sure as is told. */
function documentOf(sureness: Sureness, lines = LINES, turned?: 1 | 2 | 3, pitch = 0.15): DocumentText {
  const page = {
    number: 1,
    width: 300,
    height: 200,
    hasUsableText: true,
    imageShare: 1,
    ...(turned ? { turned } : {}),
    lines: lines.map((texts, row) => {
      const words = texts.map<Word>((text, column) => {
        const left = 0.1 + column * pitch
        const box = [left, 0.1 + row * 0.15, left + 0.14, 0.15 + row * 0.15] as const
        return { text, box, size: 11, bold: false, ...sureness(text) }
      })
      return { text: texts.join(' '), words, box: [0.1, 0.1 + row * 0.15, 0.9, 0.15 + row * 0.15] as const }
    })
  }
  return { kind: 'paged', pages: [page], paragraphs: [], flags: [], pageCount: 1 }
}

const written: Sureness = () => ({ source: 'text', confidence: 1 })
const surely: Sureness = () => ({ source: 'ocr', confidence: 0.95 })
const doubting =
  (doubtful: string, confidence: number): Sureness =>
  text => ({ source: 'ocr', confidence: text === doubtful ? confidence : 0.95 })

const stateOf = (document: DocumentText): string => judge(policy, findFields(policy, document, CONTEXT), CONTEXT).state

test('a record whose every value was read surely is accepted, one doubtful word of a required value holds it', t => {
  t.equal(stateOf(documentOf(written)), 'accepted')
  t.equal(stateOf(documentOf(surely)), 'accepted')
  for (const value of ['HX-150901', '2024-06-10', '2025-06-10', '$2,468.00', 'Veterinary']) {
    t.equal(stateOf(documentOf(doubting(value, 0.5))), 'quarantined', value)
  }
  t.equal(stateOf(documentOf(() => ({ source: 'ocr', confidence: 0.85 }))), 'quarantined', 'read once only')
  t.end()
})

test('a value in which a misread sign would show as nothing but another value is held, however surely it was read', t => {
  const withValue = (from: string, to: string): DocumentText =>
    documentOf(
      surely,
      LINES.map(words => words.map(word => (word === from ? to : word)))
    )
  for (const [from, to] of [
    ['HX-150901', 'HX-O80I71'],
    ['HX-150901', 'HX080171'],
    ['$2,468.00', '52,468.00'],
    ['$2,468.00', '$246800']
  ] as const) {
    t.equal(stateOf(withValue(from, to)), 'quarantined', to)
  }
  t.equal(stateOf(withValue('HX-150901', 'HX-150902')), 'accepted')
  t.end()
})

test('an amount that may be part of a longer one is held', t => {
  const torn = (words: readonly string[]): string =>
    stateOf(documentOf(surely, [...LINES.slice(0, 4), ['Total', 'Premium:', ...words]], undefined, 0.155))
  t.equal(torn(['$2,468.']), 'quarantined')
  t.equal(torn(['$2,468', '41']), 'quarantined')
  t.equal(torn(['$2,468', '.41']), 'quarantined')
  t.equal(torn(['$2,468.41', 'annual']), 'accepted')
  t.end()
})

test('words that stand on their page as text keep their weight beside recognised ones', t => {
  const mixed = documentOf(text => (text.startsWith('$') ? { source: 'ocr', confidence: 0.5 } : written(text)))
  const piece = (field: string, row: number): Evidence => ({
    field,
    value: 'x',
    raw: 'x',
    origin: { page: 1, bbox: [0.3, 0.1 + row * 0.15, 0.9, 0.15 + row * 0.15] },
    status: 'found',
    flags: [],
    score: 1,
    via: 'test'
  })
  const [number, premium] = weighRecognised([piece('policy_number', 0), piece('premium_total', 4)], mixed, policy)
  t.equal(number?.score, 1)
  t.ok(premium && premium.score < 0.6, `score ${premium?.score}`)
  t.end()
})

test('places on a page that was turned are told as the page is shown', t => {
  for (const [turned, wanted] of [
    [1, [0.1, 0.26, 0.15, 0.6]],
    [2, [0.26, 0.85, 0.6, 0.9]],
    [3, [0.85, 0.4, 0.9, 0.74]]
  ] as const) {
    const document = documentOf(surely, LINES, turned)
    const envelope = { value: 'x', raw: 'x', status: 'found', confidence: 1, flags: [] } as const
    const origin = { page: 1, bbox: [0.4, 0.1, 0.74, 0.15] as const }
    const placed = placeBack(document, { fields: { a: { ...envelope, origin } }, extra: {}, reasons: [] })
    const box = placed.fields['a']?.origin
    t.same(
      box && 'bbox' in box ? box.bbox.map(edge => Math.round(edge * 100) / 100) : null,
      wanted,
      `${turned} quarters`
    )
  }
  t.end()
})
