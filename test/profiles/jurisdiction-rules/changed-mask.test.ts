import t from 'tap'
import type { Envelope } from '../../../src/model/envelope.ts'
import { compileRules } from '../../../src/profiles/jurisdiction-rules/compile.ts'
import { readRules } from '../../../src/profiles/jurisdiction-rules/read-rules.ts'
import { loadProfiles } from '../../../src/profiles/load-profiles.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'

const profiles = await loadProfiles()
const RECEIVED = '2026-11-30T12:00:00.000000Z'

function rulesOf(parcel: object | null) {
  const rules = [{ id: 'v1', effective_from: '2020-01-01' }]
  // A place whose form of parcel numbers is known by its rules alone.
  return compileRules(
    permit,
    readRules({ jurisdiction: '99999', rules, ...(parcel === null ? {} : { parcel }) }, profiles)
  )
}

const parcel = (value: string, more: Partial<Envelope> = {}): Envelope => ({
  value,
  raw: value,
  status: 'found',
  confidence: 1,
  origin: { row: 1 },
  flags: [],
  ...more
})

type Rules = ReturnType<typeof rulesOf>

/** The parcel number of a record that was read under one set of rules and is judged again under others. */
function again(envelope: Envelope, ...all: readonly Rules[]): string {
  let candidate: Parameters<Rules['prepare']>[0] = { fields: { parcel_id: envelope }, extra: {}, reasons: [] }
  for (const rules of all) candidate = rules.prepare(candidate, RECEIVED)
  const { value, flags } = candidate.fields['parcel_id'] ?? envelope
  return [
    JSON.stringify(value ?? null).replaceAll('"', ''),
    ...flags,
    ...candidate.reasons.map(({ code }) => code)
  ].join(' ')
}

const FIVE = rulesOf({ mask: '##-###' })
const SUFFIXED = rulesOf({ mask: '##-###-##', suffix: '00' })
const SEVEN = rulesOf({ mask: '##-###-##' })
const PADDED = rulesOf({ mask: '###-####', pads_parts: true })
const NONE = rulesOf(null)

t.test('a number is read again from what was written when the mask has changed', async t => {
  const written = parcel('12-345')
  t.equal(again(written, FIVE), '12345')
  t.equal(again(written, FIVE, PADDED), '0120345 ZERO_PADDED', 'the parts are gone from the canonical form')
  t.equal(again(written, PADDED, FIVE), '12345', 'zeros that were added are gone, and so is their flag')
  t.equal(again(written, SUFFIXED, FIVE), '12345')
  t.equal(again(written, SUFFIXED, SEVEN), '12-345 PARCEL_FORMAT_UNUSUAL', 'a suffix nobody wrote names no parcel')
  t.equal(again(written, SUFFIXED, NONE), '12-345', 'without a mask it is as it was written')
  t.equal(again(written, PADDED, SUFFIXED, FIVE, PADDED), again(written, PADDED))
  t.equal(again(parcel('12-345', { raw: ' 12-345 ' }), FIVE, PADDED), '0120345 ZERO_PADDED')
})

t.test('what a person wrote is read again as well', async t => {
  t.equal(again(parcel('12-345', { status: 'human' }), SUFFIXED, FIVE), '12345')
})

t.test('a value that is not of its raw text alone stays as it is', async t => {
  t.equal(again(parcel('12345', { raw: 'Parcel 12-345' }), SEVEN), '12345 PARCEL_FORMAT_UNUSUAL')
  t.equal(again(parcel('12345', { raw: "'12345" }), FIVE), '12345')
  t.equal(again(parcel('12345', { raw: 'I2-345', flags: ['OCR_REPAIR'] }), FIVE), '12345 OCR_REPAIR')
  t.equal(again(parcel('12345', { raw: '12-345', flags: ['DERIVED'] }), PADDED), '12345 DERIVED PARCEL_FORMAT_UNUSUAL')
  t.equal(again(parcel('12345', { raw: '99-345' }), FIVE), '12345')
})
