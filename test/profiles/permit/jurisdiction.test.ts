import { test } from 'tap'
import { readJurisdiction } from '../../../src/profiles/permit/jurisdiction.ts'
import { blocking, mapPermit, permitRow } from '../rows.ts'

const read = (raw: string, jurisdiction: string) =>
  readJurisdiction(raw, { jurisdiction, today: '2026-06-30', source: 'cell' })

test('the same jurisdiction, or one inside the state of the batch', async t => {
  t.match(read('53033', '53033'), { value: '53033', status: 'found', flags: [] })
  t.match(read(' 53033 ', '53033'), { value: '53033' })
  t.match(read('5363000', '53'), { value: '5363000' })
  t.match(read('Acme-Portfolio', 'acme-portfolio'), { value: 'acme-portfolio' })
  t.match(read('53033', 'acme-portfolio'), { value: '53033' }, 'a slug says nothing about a code')
})

test('a lost leading zero is put back only where it fits', async t => {
  t.match(read('6037', '06037'), { value: '06037', flags: ['ZERO_PADDED'] })
  t.match(read('6037', '53033'), { value: null, flags: ['JURISDICTION_MISMATCH'] })
})

test('another one', async t => {
  for (const [raw, batch] of [
    ['53061', '53033'],
    ['53', '53033'],
    ['5363000', '53033'],
    ['123456', '53033'],
    ['tacoma', 'seattle']
  ] as const) {
    t.match(
      read(raw, batch),
      { value: null, status: 'invalid', flags: ['JURISDICTION_MISMATCH'] },
      `${raw} in ${batch}`
    )
  }
})

test('a name cannot be compared with a code', async t => {
  t.match(read('City of Seattle', '53033'), {
    value: '53033',
    status: 'derived',
    flags: ['JURISDICTION_NAME_UNCHECKED']
  })
})

test('a record that names another is held', async t => {
  t.strictSame(blocking(mapPermit(permitRow({ jurisdiction_fips: '53061' })).reasons), [
    'JURISDICTION_MISMATCH jurisdiction_fips'
  ])
  t.strictSame(blocking(mapPermit(permitRow({ Jurisdiction: '53061' })).reasons), [
    'JURISDICTION_MISMATCH jurisdiction_fips'
  ])
  t.strictSame(blocking(mapPermit(permitRow({ jurisdiction_fips: '53033' })).reasons), [])
  t.strictSame(blocking(mapPermit(permitRow({ jurisdiction_fips: { json: '53033' } })).reasons), [])
})
