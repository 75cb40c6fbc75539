import { test } from 'tap'
import { defineProfile } from '../../../src/profiles/define-profile.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { jsonSchema, valuesSchema } from '../../../src/profiles/schema/values-schema.ts'
import { CONTEXT, mapPermit, permitRow } from '../rows.ts'

test('the values of an accepted permit fit the schema', async t => {
  const attachments = { json: '[{"name":"plan.pdf","size":1200,"page":3}]' }
  const row = permitRow({ issued_date: '2024-02-06', units: '72.0', lat: '47.6', attachments, odd: 'x' })
  const { state, values } = judge(permit, mapPermit(row), CONTEXT)
  t.equal(state, 'accepted')
  t.same(valuesSchema(permit).parse(values), values)
})

test('wrong values do not', async t => {
  const { values } = judge(permit, mapPermit(permitRow()), CONTEXT)
  const wrong: Record<string, unknown>[] = [
    { issued_date: '2024-02-30' },
    { issued_date: '06.02.2024' },
    { project_valuation: 8400 },
    { project_valuation: '8400' },
    { project_valuation: '-1.00' },
    { status_mapped: 'Issued' },
    { housing_units: 1.5 },
    { submission_id: undefined },
    { surprise: 1 }
  ]
  for (const change of wrong) {
    t.notOk(valuesSchema(permit).safeParse({ ...values, ...change }).success, JSON.stringify(change))
  }
})

test('the JSON Schema is draft 2020-12 and names the required fields', async t => {
  const schema = jsonSchema(permit)
  t.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema')
  t.strictSame(schema['required'], [
    'submission_id',
    'permit_type_code',
    'parcel_id',
    'jurisdiction_fips',
    'project_valuation'
  ])
  t.notOk('allOf' in schema)
})

test('a group of which one field is required stands in the JSON Schema', async t => {
  const text = { type: 'text', title: 'Text', pii: 'P0' } as const
  const profile = defineProfile({
    name: 'place',
    version: 1,
    title: 'Place',
    fields: { a: text, b: text },
    naturalKey: [['a', 'b']],
    requireOneOf: [['a', 'b']],
    rules: [],
    gate: { threshold: 0.8 }
  })
  t.strictSame(jsonSchema(profile)['allOf'], [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }])
})
