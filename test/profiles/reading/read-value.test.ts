import { test } from 'tap'
import { defineProfile } from '../../../src/profiles/define-profile.ts'
import type { Field, FieldSpec } from '../../../src/profiles/profile.ts'
import { fieldReasons, groupReasons, reasonsOfFields } from '../../../src/profiles/reading/field-reasons.ts'
import { readList } from '../../../src/profiles/reading/read-list.ts'
import { readValue } from '../../../src/profiles/reading/read-value.ts'
import { parseSourceJson, plainJson } from '../../../src/profiles/reading/source-json.ts'

const FIELDS: Record<string, FieldSpec> = {
  number: { type: 'identifier', title: 'Number', pii: 'P0', required: true },
  signed: { type: 'boolean', title: 'Signed', pii: 'P0' },
  kind: { type: 'enum', title: 'Kind', pii: 'P0', options: ['New', 'Existing'] },
  zip: { type: 'text', title: 'ZIP', pii: 'P0', constraints: { pattern: /^\d{5}$/, maxLength: 5 } },
  depth: { type: 'decimal', title: 'Depth', pii: 'P0', constraints: { min: '-2.5', max: '10' } },
  stories: { type: 'integer', title: 'Stories', pii: 'P0', constraints: { nonNegative: true } }
}
const LIST: FieldSpec = { type: 'list', title: 'Tags', pii: 'P0' }
const SHAPE = {
  name: 'house',
  version: 1,
  title: 'House',
  fields: FIELDS,
  naturalKey: ['number'],
  requireOneOf: [['zip', 'kind']],
  rules: [],
  gate: { threshold: 0.8 }
}
const profile = defineProfile(SHAPE)

function read(name: string, raw: string) {
  const field = profile.fields[name]
  if (field === undefined) throw new Error('no such field')
  return readValue(field, raw, { jurisdiction: '53033', today: '2026-06-30', source: 'cell' })
}

test('a character that was lost is no value of any field, however it was written', async t => {
  const all = defineProfile({
    ...SHAPE,
    fields: { ...FIELDS, owner: { type: 'name', title: 'Owner', pii: 'P2' }, tags: LIST }
  })
  const context = { jurisdiction: '53033', today: '2026-06-30', source: 'cell' } as const
  for (const name of ['number', 'signed', 'zip', 'depth', 'owner']) {
    const field = all.fields[name] as Field
    const reading = readValue(field, 'Caf\ufffd', context)
    t.match(reading, { value: null, status: 'invalid', flags: ['ENCODING_INVALID'] }, name)
    const envelope = { ...reading, raw: 'Caf\ufffd', confidence: 0, origin: null }
    t.match(
      fieldReasons(field, envelope),
      [{ code: 'ENCODING_INVALID', severity: 'block' }],
      `${name} holds the record`
    )
  }
  for (const [raw, isJson] of [
    ['a|b\ufffd', false],
    ['["a","\ufffd"]', true],
    ['[{"x":"\\uFFFD"}]', true]
  ] as const) {
    t.match(readList(all.fields['tags'] as Field, raw, isJson, context), { value: null, flags: ['ENCODING_INVALID'] })
  }
  t.match(readValue(all.fields['owner'] as Field, 'C:\\ufo\\Café', context), { status: 'found' })
})

test('booleans', async t => {
  for (const raw of ['Y', 'yes', 'TRUE', ' 1 ', 'on', '☒', '[X]']) t.equal(read('signed', raw).value, true, raw)
  for (const raw of ['N', 'no', 'false', '0', '☐', '[ ]']) t.equal(read('signed', raw).value, false, raw)
  t.match(read('signed', 'maybe'), { value: null, status: 'invalid', flags: ['FIELD_INVALID'] })
  t.match(read('signed', ''), { value: null, status: 'absent' })
})

test('options are matched without case and given as defined', async t => {
  t.equal(read('kind', 'NEW').value, 'New')
  t.match(read('kind', 'Newish'), { value: null, flags: ['UNMAPPED_ENUM'] })
})

test('constraints', async t => {
  t.equal(read('zip', '98101').value, '98101')
  t.match(read('zip', '9810a'), { value: null, status: 'invalid', flags: ['FIELD_INVALID'] })
  t.match(read('zip', '981012'), { value: null, status: 'invalid' })
  for (const raw of ['-2.5', '10', '0']) t.strictSame(read('depth', raw).flags, [], raw)
  for (const raw of ['-2.51', '10.01']) t.match(read('depth', raw), { status: 'found', flags: ['OUT_OF_RANGE'] }, raw)
  t.match(read('stories', '-1'), { value: null, flags: ['NEGATIVE_AMOUNT'], readings: [-1] })
})

test('reasons of a whole record: required fields and groups are missed', async t => {
  t.match(reasonsOfFields(profile, {}), [
    { code: 'FIELD_MISSING', field: 'number' },
    { code: 'FIELD_MISSING', field: 'zip', message: /one of zip, kind/ }
  ])
  const kind = { value: 'New', raw: 'New', status: 'found' as const, confidence: 1, origin: null, flags: [] }
  t.strictSame(groupReasons(profile, { kind }), [])
  const field = profile.fields['number']
  if (field === undefined) throw new Error('no such field')
  t.match(fieldReasons(field, { ...kind, value: null, status: 'redacted', flags: ['REDACTED'] }), [
    { code: 'REDACTED' }
  ])
  t.match(fieldReasons(field, { ...kind, value: null, status: 'ambiguous' }), [
    { code: 'MULTIPLE_CANDIDATES', severity: 'block' }
  ])
  t.strictSame(fieldReasons(field, { ...kind, flags: ['ZERO_PADDED'] }), [], 'a note is no reason')
})

test('JSON numbers that a float cannot hold become text', async t => {
  const text = '{"a":[1,1.0,0.1,1e3,9007199254740993],"b":null,"c":true}'
  t.equal(
    JSON.stringify(plainJson(parseSourceJson(text))),
    '{"a":[1,"1.0",0.1,"1e3","9007199254740993"],"b":null,"c":true}'
  )
  t.throws(() => parseSourceJson('{"a":NaN}'), SyntaxError)
})
