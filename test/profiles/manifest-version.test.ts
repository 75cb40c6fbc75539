import { test } from 'tap'
import { defineProfile } from '../../src/profiles/define-profile.ts'
import { manifestVersion } from '../../src/profiles/manifest-version.ts'
import type { ProfileSpec } from '../../src/profiles/profile.ts'

const rule = { name: 'order', version: 1, settings: { days: 3 }, check: () => [] }

const base: ProfileSpec = {
  name: 'licence',
  version: 3,
  title: 'Licence',
  fields: {
    licence_number: {
      type: 'identifier',
      title: 'Number',
      pii: 'P0',
      required: true,
      constraints: { pattern: /^\d+$/ }
    }
  },
  naturalKey: ['licence_number'],
  rules: [rule],
  gate: { threshold: 0.8 }
}

const versionOf = (changes: Partial<ProfileSpec>): string => manifestVersion(defineProfile({ ...base, ...changes }))

test('the version holds the digest of the rules and is the same on every machine', async t => {
  t.equal(versionOf({}), 'licence@3+2b0de7ae')
  t.equal(versionOf({}), versionOf({}))
})

test('what changes an outcome changes the digest', async t => {
  const number = base.fields['licence_number']
  if (number === undefined) throw new Error('the base profile has a number')
  const changes: Record<string, Partial<ProfileSpec>> = {
    'a pattern': { fields: { licence_number: { ...number, constraints: { pattern: /^\d*$/ } } } },
    'a column name': { fields: { licence_number: { ...number, columns: ['no'] } } },
    'a reader': {
      fields: {
        licence_number: {
          ...number,
          reader: { name: 'x', version: 1, read: () => ({ value: null, status: 'absent', flags: [] }) }
        }
      }
    },
    'the version of a rule': { rules: [{ ...rule, version: 2 }] },
    'a setting of a rule': { rules: [{ ...rule, settings: { days: 4 } }] },
    'the gate': { gate: { threshold: 0.81 } }
  }
  const versions = Object.values(changes).map(versionOf)
  t.equal(new Set([versionOf({}), ...versions]).size, versions.length + 1)
})

test('what changes no outcome does not', async t => {
  const number = base.fields['licence_number']
  if (number === undefined) throw new Error('the base profile has a number')
  t.equal(
    versionOf({ title: 'Permit to trade', fields: { licence_number: { ...number, title: 'No.', pii: 'P1' } } }),
    versionOf({})
  )
  t.equal(
    versionOf({ rules: [{ ...rule, check: () => [] }] }),
    versionOf({}),
    'another function of the same name and version'
  )
})
