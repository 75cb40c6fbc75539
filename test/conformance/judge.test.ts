import t from 'tap'
import { type Expectation, isSame, judge, type Outcome, type RecordBody } from './judge.ts'

const record = (changes: Partial<RecordBody> = {}): RecordBody => ({
  id: 'r',
  row: 1,
  line: 2,
  filename: 'a.csv',
  state: 'accepted',
  revision: 1,
  duplicate_of: null,
  fields: { premium_total: { value: '1284.00' }, parcel_id: { value: '0012' } },
  reasons: [],
  ...changes
})

const reason = { code: 'INVALID_DATE', message: '' }
const counts = { total: 1, pending: 0, accepted: 1, duplicate: 0, quarantined: 0, rejected: 0, cancelled: 0 }

const outcome = (records: readonly RecordBody[], changes: Partial<Outcome> = {}): Outcome => ({
  http: 202,
  contentType: 'application/json',
  batch: { id: 'b', state: 'completed', counts },
  records,
  ...changes
})

const http = [202]
const line = (changes: object = {}): Expectation => ({
  http,
  records: [{ line: 2, state_any: ['accepted'], ...changes }]
})

t.test('what is as expected has no fault', async t => {
  const right: [Expectation, Outcome][] = [
    [{ http, counts: { total: 1, accepted: 1 } }, outcome([record()])],
    [line({ fields: { premium_total: '1284' } }), outcome([record()])],
    [line({ must_not_fields: { premium_total: ['12.84'] } }), outcome([record()])],
    [
      line({ state_any: ['quarantined'], fields: { premium_total: '1' } }),
      outcome([record({ state: 'quarantined', reasons: [reason] })])
    ],
    [{ http: [400, 413] }, { http: 413, contentType: 'application/problem+json; charset=utf-8' }]
  ]
  for (const [expected, actual] of right) t.strictSame(judge(expected, actual), [])
})

t.test('each kind of fault is found', async t => {
  const held = record({ state: 'quarantined', reasons: [reason] })
  const wrong: [Expectation, Outcome][] = [
    [{ http }, outcome([record()], { http: 500 })],
    [{ http: [400] }, { http: 400, contentType: 'text/html' }],
    [{ http }, { http: 202, contentType: 'application/json' }],
    [{ http }, outcome([])],
    [{ http, counts: { accepted: 2 } }, outcome([record()])],
    [{ http }, outcome([record()], { batch: { id: 'b', state: 'completed', counts: { ...counts, pending: 1 } } })],
    [{ http }, outcome([record({ state: 'rejected' })])],
    [{ http, every: { state_any: ['rejected'] } }, outcome([record()])],
    [{ http, every: { state_any: ['quarantined'], reason_any: ['FIELD_MISSING'] } }, outcome([held])],
    [{ http, some: { state_any: ['quarantined'] } }, outcome([record()])],
    [line(), outcome([record({ line: 3 })])],
    [line({ file: 'b.csv' }), outcome([record()])],
    [line({ row: 2 }), outcome([record()])],
    [line(), outcome([held])],
    [line({ state_any: ['quarantined'], reason_any: ['FIELD_MISSING'] }), outcome([held])],
    [line({ fields: { premium_total: '1284.01' } }), outcome([record()])],
    [line({ fields: { parcel_id: '12' } }), outcome([record()])],
    [line({ must_not_fields: { premium_total: ['1284'] } }), outcome([record()])]
  ]
  for (const [expected, actual] of wrong) {
    t.equal(judge(expected, actual).length, 1, `${JSON.stringify(expected)}: ${judge(expected, actual).join('; ')}`)
  }
})

t.test('values are the same by value, by letters and digits, and never by guess', async t => {
  const same: [unknown, unknown][] = [
    ['8400.00', '8400'],
    ['-0.50', '-0.5'],
    ['46 Elm St\nRear unit', '46 elm  st Rear unit'],
    ['HX-1', 'HX 1'],
    ['"Ida Novak".', 'Ida Novak'],
    [null, ''],
    [null, undefined],
    [900, '900.0'],
    ['12345678901234567890.10', '12345678901234567890.1']
  ]
  const different: [unknown, unknown][] = [
    ['007', '7'],
    ['1.00', '-1.00'],
    ['12345678901234567890', '12345678901234567891'],
    ['x', null],
    [null, 'x'],
    ['青空文具店', '店具文空青'],
    ['-', '.']
  ]
  for (const [expected, actual] of same) t.ok(isSame(expected, actual), JSON.stringify([expected, actual]))
  for (const [expected, actual] of different) t.notOk(isSame(expected, actual), JSON.stringify([expected, actual]))
})
