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
