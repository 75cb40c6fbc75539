import { test } from 'tap'
import { AppError } from '../../src/errors.ts'
import { defineProfile } from '../../src/profiles/define-profile.ts'
import type { FieldSpec, ProfileSpec } from '../../src/profiles/profile.ts'
import { documentation } from '../../src/profiles/schema/documentation.ts'

const number: FieldSpec = { type: 'identifier', title: 'Number', pii: 'P0', required: true }

const sound: ProfileSpec = {
  name: 'licence',
  version: 1,
  title: 'Licence',
  fields: { licence_number: number, granted: { type: 'date', title: 'Granted', pii: 'P0' } },
  naturalKey: ['licence_number'],
  rules: [],
  gate: { threshold: 0.8 }
}

function faultsOf(spec: ProfileSpec): readonly string[] {
  try {
    defineProfile(spec)
    return []
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'PROFILE_INVALID') throw error
    const { faults } = error.details
    return Array.isArray(faults) ? faults : []
  }
}

test('a sound definition is completed and frozen', async t => {
  const profile = defineProfile(sound)
  t.match(profile.fields['granted'], { name: 'granted', required: false, filledBy: 'submission', yearPivot: 'past' })
  t.ok(Object.isFrozen(profile) && Object.isFrozen(profile.fields) && Object.isFrozen(profile.fields['granted']))
  t.strictSame(Object.keys(profile.fields), ['licence_number', 'granted'])
  t.strictSame(defineProfile(profile), profile, 'defining a defined profile changes nothing')
})

test('everything wrong is told at once', async t => {
  const faults = faultsOf({
    ...sound,
    name: 'Licence; drop table',
    version: 0,
    naturalKey: ['nowhere'],
    fields: { ...sound.fields, __proto: number, 'a"b': number, granted: { type: 'date', title: '', pii: 'P0' } },
    gate: { threshold: 2 }
  })
  for (const part of [
    'name:',
    'version:',
    'naturalKey: there is no field nowhere',
    'field a"b',
    'field granted: it has no title',
    'gate:'
  ]) {
    t.ok(
      faults.some(fault => fault.startsWith(part)),
      part
    )
  }
})

test('each kind of fault is found', async t => {
  const withField = (name: string, field: FieldSpec): ProfileSpec => ({
    ...sound,
    fields: { ...sound.fields, [name]: field }
  })
  const text: FieldSpec = { type: 'text', title: 'Text', pii: 'P0' }
  const cases: [string, ProfileSpec, RegExp][] = [
    ['a reserved name', withField('constructor', text), /constructor: the name/],
    ['a name of the view itself', withField('record_id', text), /record_id: the name/],
    ['a name too long for SQL', withField('a'.repeat(64), text), /the name must match/],
    ['an enum without options', withField('kind', { ...text, type: 'enum' }), /an enum needs options/],
    ['items of no list', withField('kind', { ...text, item: {} }), /only a list has items/],
    [
      'an unsafe item member',
      withField('kind', { ...text, type: 'list', item: { 'A b': { type: 'text', title: '' } } }),
      /A b/
    ],
    ['a limit that is no number', withField('kind', { ...text, constraints: { max: '1e9' } }), /limit/],
    ['a pattern with a position', withField('kind', { ...text, constraints: { pattern: /a/g } }), /position/],
    ['a length that is none', withField('kind', { ...text, constraints: { maxLength: 0 } }), /maxLength/],
    ['a column of two fields', withField('kind', { ...text, columns: ['Licence Number'] }), /belongs to both/],
    [
      'a mapping to nothing',
      withField('kind', { ...text, mapped: { field: 'none', values: {} } }),
      /is mapped to none/
    ],
    [
      'a required field of a registry',
      withField('kind', { ...text, required: true, filledBy: 'registry' }),
      /required/
    ],
    ['an empty key', { ...sound, naturalKey: [] }, /names no field/],
    [
      'a rule twice',
      { ...sound, rules: [1, 2].map(() => ({ name: 'r', version: 1, check: () => [] })) },
      /rule r is defined twice/
    ]
  ]
  for (const [what, spec, expected] of cases) t.match(faultsOf(spec).join('\n'), expected, what)
})

test('the documentation lists every field with its names and limits', async t => {
  const [first] = documentation(defineProfile(sound))
  t.match(first, {
    name: 'licence_number',
    required: true,
    columns: ['licence_number'],
    pii: 'P0',
    filled_by: 'submission'
  })
})
