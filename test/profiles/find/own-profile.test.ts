import { test } from 'tap'
import { defineProfile } from '../../../src/profiles/define-profile.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { CONTEXT, lines } from './documents.ts'

const bond = defineProfile({
  name: 'bond',
  version: 1,
  title: 'Surety bond',
  fields: {
    bond_number: {
      type: 'identifier',
      title: 'Bond number',
      pii: 'P0',
      required: true,
      labels: ['Bond Number'],
      notLabels: ['Prior Bond Number']
    },
    penal_sum: { type: 'money', title: 'Penal sum', pii: 'P4', labels: ['Penal Sum'] },
    signed_on: {
      type: 'date',
      title: 'Signed on',
      pii: 'P0',
      finders: [
        {
          name: 'last-line',
          version: 1,
          source: 'harbor',
          find: document => {
            const line = document.pages.at(-1)?.lines.at(-1)
            return line ? [{ raw: line.text, origin: { page: 1, bbox: line.box } }] : []
          }
        }
      ]
    }
  },
  naturalKey: ['bond_number'],
  rules: [],
  gate: { threshold: 0.8 }
})

const DOCUMENT = lines('Prior Bond Number: SB-11000', 'Bond Number: SB-22000', 'Penal Sum: $50,000.00', '2024-05-01')

test('a profile of a deployment is found by the labels of its fields', async t => {
  const { fields } = findFields(bond, DOCUMENT, CONTEXT)
  t.equal(fields['bond_number']?.value, 'SB-22000')
  t.equal(fields['penal_sum']?.value, '50000.00')
  t.equal(fields['signed_on']?.value ?? null, null, 'a finder of another source is not asked')
})

test('a finder is asked for the source it is meant for', async t => {
  const { fields } = findFields(bond, DOCUMENT, { ...CONTEXT, source: 'harbor' })
  t.equal(fields['signed_on']?.value, '2024-05-01')
  t.same(fields['signed_on']?.origin, { page: 1, bbox: DOCUMENT.pages[0]?.lines[3]?.box })
})
