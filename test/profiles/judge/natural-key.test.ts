import { test } from 'tap'
import { defineProfile } from '../../../src/profiles/define-profile.ts'
import { naturalKeyOf } from '../../../src/profiles/judge/natural-key.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'

const text = { type: 'text', title: 'Text', pii: 'P0' } as const

const lot = defineProfile({
  name: 'lot',
  version: 1,
  title: 'Lot',
  fields: {
    unit_id: text,
    unit_address: text,
    tenant: { ...text, required: true },
    amendment: { ...text, type: 'integer' }
  },
  naturalKey: [['unit_id', 'unit_address'], 'tenant', 'amendment'],
  rules: [],
  gate: { threshold: 0.8 }
})

test('case, compatibility forms and spaces do not count', async t => {
  t.equal(naturalKeyOf(permit, { submission_id: 'BP-0001' }), 'bp-0001')
  t.equal(naturalKeyOf(permit, { submission_id: ' ＢＰ-0001 ' }), 'bp-0001')
  t.not(naturalKeyOf(permit, { submission_id: 'BP-1' }), naturalKeyOf(permit, { submission_id: 'BP-0001' }), 'zeros do')
})

test('several parts, alternatives and parts that may be absent', async t => {
  t.equal(
    naturalKeyOf(lot, { unit_id: '7', unit_address: '9 Elm St', tenant: 'Ida', amendment: 2 }),
    '7\u001fida\u001f2'
  )
  t.equal(naturalKeyOf(lot, { unit_address: '9 Elm  St', tenant: 'Ida' }), '9 elm st\u001fida\u001f')
})

test('no key without its required parts', async t => {
  t.equal(naturalKeyOf(permit, {}), null)
  t.equal(naturalKeyOf(lot, { tenant: 'Ida' }), null)
  t.equal(naturalKeyOf(lot, { unit_id: '7' }), null)
})

test('a separator inside a part cannot move its border', async t => {
  t.not(
    naturalKeyOf(lot, { unit_id: '7', tenant: 'ida\u001f2' }),
    naturalKeyOf(lot, { unit_id: '7', tenant: 'ida', amendment: 2 })
  )
})

/** Ways in which one number comes out of a word processor, a web page or a mail. */
const INVISIBLE: readonly [string, string][] = [
  ['a zero-width space', 'BP\u200b-0001'],
  ['a zero-width joiner and non-joiner', 'B\u200dP-00\u200c01'],
  ['a soft hyphen', 'BP-\u00ad0001'],
  ['a byte order mark in front and inside', '\ufeffBP-00\ufeff01'],
  ['marks of direction', '\u200eBP-0001\u200f\u061c'],
  ['an embedding, as a file dialog copies it', '\u202aBP-0001\u202c'],
  ['an isolate', '\u2066BP-0001\u2069'],
  ['a word joiner', 'BP\u2060-\u20600001'],
  ['a combining grapheme joiner and a variation selector', 'BP\u034f-0001\ufe0f'],
  ['a tag character', 'BP-0001\u{e0041}'],
  ['a control character', 'BP-0001\u0007'],
  ['a no-break hyphen', 'BP\u20110001'],
  ['a hyphen of its own', 'BP\u20100001'],
  ['an en dash', 'BP\u20130001'],
  ['a minus', 'BP\u22120001'],
  ['full-width letters and digits', 'ＢＰ－０００１'],
  ['no-break spaces around', '\u00a0BP-0001\u202f'],
  ['small letters', 'bp-0001']
]

for (const [what, sent] of INVISIBLE) {
  test(`one permit has one key: ${what}`, async t => {
    t.equal(naturalKeyOf(permit, { submission_id: sent }), 'bp-0001')
    t.equal(naturalKeyOf(permit, { submission_id: naturalKeyOf(permit, { submission_id: sent }) }), 'bp-0001')
  })
}

test('what can be seen still tells two keys apart; what cannot is no key', async t => {
  for (const other of ['BP-001', 'BP 0001', 'BP0001', 'BP_0001', 'BP-0001A', 'ВР-0001', 'BP-O001', 'BP-0001\u0301']) {
    t.not(naturalKeyOf(permit, { submission_id: other }), 'bp-0001', other)
  }
  t.equal(naturalKeyOf(permit, { submission_id: 'BP\u00a00001' }), naturalKeyOf(permit, { submission_id: 'BP 0001' }))
  t.equal(naturalKeyOf(permit, { submission_id: '\u200b\u2060\ufeff' }), null)
})
