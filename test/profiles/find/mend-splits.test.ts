import { test } from 'tap'
import { fillBlanks } from '../../../src/profiles/find/layout/fill-blanks.ts'
import { mendSplits, wordGapOf } from '../../../src/profiles/find/layout/mend-splits.ts'
import { normWord, type Token } from '../../../src/profiles/find/layout/token.ts'

/** Tokens given as words with the gap before each. */
const run = (...pieces: readonly (readonly [number, string])[]): Token[] => {
  let x = 0
  return pieces.map(([gap, text]) => {
    const left = x + gap * 0.01
    x = left + text.length * 0.005
    return { text, norm: normWord(text), box: [left, 0.1, x, 0.11], source: 'text', bold: false, gap }
  })
}

const texts = (tokens: readonly Token[]): string[] => tokens.map(token => token.text)

test('numbers broken by the text layer are put together', async t => {
  t.same(texts(mendSplits(run([0, '$3,6'], [0, '87.25'], [0.25, 'per']), 0.25)), ['$3,687.25', 'per'])
  t.same(texts(mendSplits(run([0, '$1,336.0'], [0.08, '2']), 0.2)), ['$1,336.02'])
  t.same(texts(mendSplits(run([0, '1922'], [0, '1-09-11']), 0.2)), ['19221-09-11'])
  t.same(texts(mendSplits(run([0, '0'], [0.13, '5/1'], [0.13, '2/2'], [0.13, '0'], [0.53, 'to']), 0.4)), [
    '05/12/20',
    'to'
  ])
})

test('two columns that touch stay two', async t => {
  t.same(texts(mendSplits(run([0, '$500,000'], [0, '2,500']), 0.25)), ['$500,000', '2,500'])
  t.same(texts(mendSplits(run([0, 'Total:'], [0, '640.00']), 0.25)), ['Total:', '640.00'])
  t.same(texts(mendSplits(run([0, 'Policy'], [0.18, 'Premium']), 0.18)), ['Policy', 'Premium'])
})

test('the usual gap is that between whole words', async t => {
  t.equal(
    wordGapOf([run([0, 'some'], [0.2, 'words'], [0.2, 'stand'], [0.2, 'this'], [0.2, 'near'], [0.3, 'here'])]),
    0.2
  )
  t.equal(wordGapOf([]), 0)
})

test('what is written over a rule takes its place', async t => {
  const line = run([0, 'on'], [0.3, '________,'], [0.3, '20____'])
  const over = (blank: Token | undefined, text: string): Token => ({
    ...(blank as Token),
    text,
    norm: normWord(text),
    source: 'form'
  })
  const filled = fillBlanks([
    { tokens: line },
    { tokens: [over(line[1], 'May 3rd')] },
    { tokens: [over(line[2], '24')] }
  ])
  t.equal(filled.length, 1)
  t.same(texts(filled[0]?.tokens ?? []), ['on', 'May 3rd,', '2024'])
  t.same(texts(fillBlanks([{ tokens: line }])[0]?.tokens ?? []), texts(line), 'an empty rule stays')
})
