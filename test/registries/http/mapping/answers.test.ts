import t from 'tap'
import type { Json } from '../../../../src/model/json.ts'
import { answersOf } from '../../../../src/registries/http/mapping/answers.ts'
import { askInHalves } from '../../../../src/registries/http/mapping/ask-in-halves.ts'
import { memberOf } from '../../../../src/registries/http/mapping/pointer.ts'

type Row = { readonly [name: string]: Json }
const mapping = { key: { from: 'PIN', as: 'text' as const }, fields: { zoningCode: 'Z' }, distinct: false }
const answers = (keys: readonly string[], rows: readonly Row[], more: { distinct?: boolean; cut?: string[] } = {}) =>
  Object.fromEntries(
    answersOf(
      keys,
      { rows, cut: new Set(more.cut ?? []) },
      { kind: 'parcel', mapping: { ...mapping, distinct: more.distinct ?? false }, get: memberOf }
    )
  )
const row = (PIN: string, Z: string): Row => ({ PIN, Z })
const match = (parcelId: string, zoningCode: string) => ({ kind: 'match', value: { parcelId, zoningCode } })

t.test('every key has its own answer, in whatever order rows come', async t => {
  t.strictSame(answers(['A-100001', 'A-100002', 'A-100003'], [row('A-100003', 'C'), row('A-100001', 'R')]), {
    'A-100001': match('A-100001', 'R'),
    'A-100002': { kind: 'no_match' },
    'A-100003': match('A-100003', 'C')
  })
})

t.test('two rows of a key are several; equal ones too, unless they are declared to be one', async t => {
  const candidates = [
    { parcelId: '1', zoningCode: 'R' },
    { parcelId: '1', zoningCode: 'C' }
  ]
  t.strictSame(answers(['1'], [row('1', 'R'), row('1', 'C')]), { 1: { kind: 'several', candidates } })
  t.match(answers(['1'], [row('1', 'R'), row('1', 'R')]), { 1: { kind: 'several' } })
  t.strictSame(answers(['1'], [row('1', 'R'), row('1', 'R')], { distinct: true }), { 1: match('1', 'R') })
  t.match(answers(['1'], [row('1', 'R'), row('1', 'C')], { distinct: true }), { 1: { kind: 'several' } })
})

t.test('of very many candidates twenty are told, and that there are more', async t => {
  const rows = Array.from({ length: 21 }, (_, i) => row('1', `R-${i}`))
  const answer = answers(['1'], rows)['1']
  t.match(answer, { kind: 'several', more: true })
  t.equal(answer?.kind === 'several' && answer.candidates.length, 20)
  t.notOk('more' in (answers(['1'], rows.slice(1))['1'] ?? {}))
})

t.test('rows that a loose comparison gives for another key are ignored', async t => {
  t.strictSame(answers(['ab-100001'], [row('AB-100001', 'R')]), { 'ab-100001': { kind: 'no_match' } })
  t.strictSame(answers(['100001'], [row('0100001', 'R'), row('100001', 'C')]), { 100001: match('100001', 'C') })
  t.strictSame(answers(['100001'], [row('100001-A', 'R')]), { 100001: { kind: 'no_match' } })
})

t.test('a row that has nothing to do with the question makes the whole reply worthless', async t => {
  const wrong = { kind: 'transient', code: 'wrong_keys' }
  t.throws(() => answers(['100001', '100002'], [row('100001', 'R'), row('999999', 'R')]), wrong)
  t.throws(() => answers(['5'], [row('15', 'R')]), wrong, 'short keys stand in many by chance')
  t.throws(() => answers(['100001'], [row(' ', 'R')]), wrong, 'a row without a key')
})

t.test('a key with more rows than a reply holds has several, if as many were seen as are shown', async t => {
  const rows = (count: number) => Array.from({ length: count }, () => row('1', 'R'))
  const answer = { kind: 'several', more: true, candidates: Array.from({ length: 20 }, () => ({ zoningCode: 'R' })) }
  t.match(answers(['1'], rows(20), { cut: ['1'] }), { 1: answer })
  t.match(answers(['1'], rows(30), { cut: ['1'], distinct: true }), { 1: answer }, 'others may differ')
  for (const count of [0, 1, 2, 19]) {
    t.throws(() => answers(['1'], rows(count), { cut: ['1'] }), { kind: 'transient', code: 'truncated' }, `${count}`)
  }
})

t.test('replies that are not whole are asked for again in halves, for a bounded number of times', async t => {
  const asked: string[] = []
  const ask = (most: number) => async (keys: readonly string[]) => {
    asked.push(keys.join(''))
    return { rows: keys.slice(0, most), more: keys.length > most }
  }
  t.strictSame((await askInHalves([['a', 'b', 'c', 'd', 'e'], ['f']], ask(2))).rows, ['a', 'b', 'c', 'd', 'e', 'f'])
  t.strictSame(asked, ['abcde', 'abc', 'ab', 'c', 'de', 'f'])
  const keys = Array.from({ length: 500 }, (_, i) => `${i}`)
  asked.length = 0
  await t.rejects(askInHalves([keys], ask(0)), { kind: 'transient', code: 'truncated' })
  t.equal(asked.length, 24)
})
