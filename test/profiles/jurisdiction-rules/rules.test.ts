import t from 'tap'
import type { Envelope } from '../../../src/model/envelope.ts'
import type { Json } from '../../../src/model/json.ts'
import { compileRules } from '../../../src/profiles/jurisdiction-rules/compile.ts'
import { readRules } from '../../../src/profiles/jurisdiction-rules/read-rules.ts'
import { loadProfiles } from '../../../src/profiles/load-profiles.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'

const profiles = await loadProfiles()
const RECEIVED = '2026-11-30T12:00:00.000000Z'

const envelope = (value: Json): Envelope => ({
  value,
  raw: typeof value === 'string' ? value : null,
  status: 'found',
  confidence: 1,
  origin: { row: 1 },
  flags: []
})
const candidate = (values: Readonly<Record<string, Json>>) => ({
  fields: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, envelope(value)])),
  extra: {},
  reasons: []
})

/** The rules of a file with one version in force since 2020. */
function rulesOf(version: object, more: object = {}) {
  const rules = [{ id: 'v1', effective_from: '2020-01-01', ...version }]
  return compileRules(permit, readRules({ jurisdiction: '53033', rules, ...more }, profiles))
}
const codesOf = (rules: ReturnType<typeof rulesOf>, values: Readonly<Record<string, Json>>) =>
  rules.check(candidate(values).fields, RECEIVED).map(({ code, field, severity }) => `${code} ${field} ${severity}`)

t.test('required fields, for all records or for some', async t => {
  const rules = rulesOf({
    required: [
      'owner_name',
      { field: 'contractor_license', when: { field: 'permit_type_code', in: ['ROOF'] }, severity: 'warn' }
    ]
  })
  t.same(codesOf(rules, { permit_type_code: 'POOL' }), ['STATUTORY_FIELD_MISSING owner_name block'])
  t.same(codesOf(rules, { permit_type_code: ' roof ', owner_name: 'Jane Doe' }), [
    'STATUTORY_FIELD_MISSING contractor_license warn'
  ])
  t.same(codesOf(rules, { owner_name: 'Jane Doe' }), [])
})

t.test('values from a list and numbers within limits, exactly', async t => {
  const rules = rulesOf({
    values: [{ field: 'permit_class', allowed: ['Residential', 'Commercial'] }],
    ranges: [
      { field: 'project_valuation', min: '100', max: '5000000.00' },
      { field: 'housing_units', max: '400' }
    ]
  })
  t.same(codesOf(rules, { permit_class: 'RESIDENTIAL', project_valuation: '100.00', housing_units: 400 }), [])
  t.same(codesOf(rules, { permit_class: 'Mixed', project_valuation: '99.99', housing_units: 401 }), [
    'VALUE_NOT_ALLOWED permit_class block',
    'OUTSIDE_LIMITS project_valuation block',
    'OUTSIDE_LIMITS housing_units block'
  ])
  t.same(codesOf(rules, { project_valuation: '5000000.01' }), ['OUTSIDE_LIMITS project_valuation block'])
})

t.test('zoning against the type of permit', async t => {
  const pool = { field: 'permit_type_code', in: ['POOL', 'SPA'] }
  const rules = rulesOf({
    zoning: [
      { when: pool, allowed: ['R-*', 'MR'] },
      { when: { field: 'permit_type_code', in: ['DEMO'] }, prohibited: ['HD'], absent: 'hold' }
    ]
  })
  t.same(codesOf(rules, { permit_type_code: 'Pool', zoning_code: 'r-1' }), [])
  t.same(codesOf(rules, { permit_type_code: 'Pool', zoning_code: 'MR' }), [])
  t.same(codesOf(rules, { permit_type_code: 'Pool', zoning_code: 'C1-2' }), ['ZONING_CONFLICT zoning_code block'])
  t.same(codesOf(rules, { permit_type_code: 'Pool' }), [], 'no registry, nothing to compare')
  t.same(codesOf(rules, { permit_type_code: 'Demo', zoning_code: 'HD' }), ['ZONING_CONFLICT zoning_code block'])
  t.same(codesOf(rules, { permit_type_code: 'Demo', zoning_code: 'R-1' }), [])
  t.same(codesOf(rules, { permit_type_code: 'Demo' }), ['STATUTORY_FIELD_MISSING zoning_code block'])
  t.same(codesOf(rules, { permit_type_code: 'Roof', zoning_code: 'C1-2' }), [])
})

t.test('an application is too old by the day it was received', async t => {
  const rules = rulesOf({ expiry: [{ days: 180 }] })
  t.same(codesOf(rules, { applied_date: '2026-06-03' }), [])
  t.same(codesOf(rules, { applied_date: '2026-06-02' }), ['APPLICATION_EXPIRED applied_date block'])
  t.same(codesOf(rules, {}), [])
})

t.test('rules are those of the day of application, else of the day received where the office is', async t => {
  const content = {
    jurisdiction: '53033',
    time_zone: 'America/Los_Angeles',
    rules: [
      { id: 'old', effective_from: '2020-01-01', effective_to: '2026-12-01', required: ['owner_name'] },
      { id: 'new', effective_from: '2026-12-01', required: ['applicant_name'] }
    ]
  }
  const rules = compileRules(permit, readRules(content, profiles))
  const fieldsOf = (values: Readonly<Record<string, Json>>, received: string) =>
    rules.check(candidate(values).fields, received).map(({ field }) => field)
  t.same(fieldsOf({ applied_date: '2026-11-30' }, '2026-12-05T00:00:00Z'), ['owner_name'])
  t.same(fieldsOf({ applied_date: '2026-12-01' }, '2026-12-05T00:00:00Z'), ['applicant_name'])
  t.same(fieldsOf({}, '2026-12-01T07:59:00Z'), ['owner_name'])
  t.same(fieldsOf({}, '2026-12-01T08:01:00Z'), ['applicant_name'])
  t.same(fieldsOf({ applied_date: '2019-12-31' }, '2026-12-05T00:00:00Z'), [])
})

t.test(
  'a record gets the day of its earliest clock, its parcel in canonical form and the words of the office',
  async t => {
    const rules = rulesOf(
      {
        clocks: [
          { name: 'completeness', days: 28, count: 'calendar' },
          { name: 'simple', days: 3, count: 'business', when: { field: 'permit_type_code', in: ['ROOF'] } },
          {
            name: 'review',
            days: 10,
            count: 'calendar',
            from: 'applied_date',
            when: { field: 'permit_type_code', in: ['SIGN'] }
          }
        ],
        mappings: [{ field: 'status', values: { 'In Review': ['Zoning Hold 7B'], 'Permit Issued': ['finaled'] } }]
      },
      { parcel: { mask: '##-###-##', suffix: '00', without_suffix: true }, holidays: { days: ['2026-12-01'] } }
    )
    const prepared = (values: Readonly<Record<string, Json>>) => rules.prepare(candidate(values), RECEIVED).fields
    t.match(prepared({ permit_type_code: 'POOL' }), { statutory_due_at: { value: '2026-12-28', status: 'derived' } })
    t.match(prepared({ permit_type_code: 'ROOF' }), { statutory_due_at: { value: '2026-12-04' } })
    t.match(prepared({ permit_type_code: 'SIGN', applied_date: '2026-11-01' }), {
      statutory_due_at: { value: '2026-11-11' }
    })
    t.match(prepared({ parcel_id: '12-345-67' }), { parcel_id: { value: '1234567', raw: '12-345-67' } })
    t.match(prepared({ parcel_id: '12-345' }), {
      parcel_id: { value: '1234500', raw: '12-345', flags: ['SUFFIX_DEFAULTED'] }
    })
    t.match(rules.prepare(candidate({ parcel_id: '1234-5678' }), RECEIVED), {
      fields: { parcel_id: { value: '1234-5678' } },
      reasons: [{ code: 'PARCEL_FORMAT_UNUSUAL', severity: 'warn' }]
    })
    t.match(prepared({ status: 'zoning hold 7b' }), { status_mapped: { value: 'In Review', status: 'derived' } })
    t.match(
      prepared({ status: 'Finaled' }),
      { status_mapped: { value: 'Permit Issued' } },
      'the office goes before the profile'
    )
    t.notOk(prepared({ status: 'unknown' })['status_mapped'])
  }
)

t.test('preparing twice changes nothing more, and a mended parcel loses its reason', async t => {
  const rules = rulesOf(
    { clocks: [{ name: 'c', days: 1, count: 'calendar' }] },
    { parcel: { mask: '##-###', unmet: 'block' } }
  )
  const once = rules.prepare(candidate({ parcel_id: '12-345', status: 'issued' }), RECEIVED)
  t.same(rules.prepare(once, RECEIVED), once)
  const unmet = rules.prepare(candidate({ parcel_id: '1234-56' }), RECEIVED)
  t.match(rules.prepare(unmet, RECEIVED).reasons, [{ code: 'PARCEL_FORMAT_UNUSUAL', severity: 'block' }])
  t.equal(rules.prepare(unmet, RECEIVED).reasons.length, 1)
  const mended = { ...unmet, fields: { ...unmet.fields, parcel_id: envelope('12-345') } }
  t.same(rules.prepare(mended, RECEIVED).reasons, [])
})

t.test('a mapping of the office takes the reason of the unmapped value away, and not what a person chose', async t => {
  const rules = rulesOf({ mappings: [{ field: 'status', values: { 'In Review': ['Hold'] } }] })
  const unmapped = { ...envelope(null), status: 'invalid' as const, flags: ['UNMAPPED_ENUM'] }
  const reason = { code: 'UNMAPPED_ENUM', field: 'status_mapped', severity: 'warn' } as never
  const read = { ...candidate({ status: 'Hold' }), reasons: [reason] }
  const held = { ...read, fields: { ...read.fields, status_mapped: unmapped } }
  t.match(rules.prepare(held, RECEIVED), { fields: { status_mapped: { value: 'In Review' } }, reasons: [] })
  const chosen = { ...envelope('Appeal'), status: 'human' as const }
  const byHand = { ...held, fields: { ...held.fields, status_mapped: chosen } }
  t.match(rules.prepare(byHand, RECEIVED), { fields: { status_mapped: { value: 'Appeal' } } })
})

t.test('rules that are not sound are refused with the path of each fault and what was expected', async t => {
  const refusal = (version: object, more: object = {}): string => {
    try {
      rulesOf(version, more)
      return 'none'
    } catch (error) {
      return String(error)
    }
  }
  t.equal(refusal({}), 'none')
  t.match(
    refusal({ required: ['ownr_name'] }),
    'rules[0].required[0].field: expected a field of permit; there is no ownr_name'
  )
  t.match(refusal({ surplus: 1 }), 'rules[0]: ')
  t.match(refusal({ effective_from: '2026-02-30' }), 'rules[0].effective_from: expected a day as YYYY-MM-DD')
  t.match(refusal({ ranges: [{ field: 'project_valuation' }] }), 'rules[0].ranges[0]: expected min, max or both')
  t.match(refusal({ ranges: [{ field: 'project_valuation', min: 5 }] }), 'rules[0].ranges[0].min: ')
  t.match(
    refusal({ ranges: [{ field: 'owner_name', min: '5' }] }),
    'expected a field that is a number; owner_name is of type name'
  )
  t.match(refusal({ zoning: [{ allowed: ['a'], prohibited: ['b'] }] }), 'rules[0].zoning[0]: expected either')
  t.match(
    refusal({ zoning: [{ when: { field: 'nix', in: ['a'] }, allowed: ['a'] }] }),
    'rules[0].zoning[0].when.field: '
  )
  t.match(refusal({ mappings: [{ field: 'status', values: { Held: ['x'] } }] }), 'there is no Held')
  t.match(refusal({ mappings: [{ field: 'owner_name', values: {} }] }), 'expected a field with a vocabulary')
  const held = (words: object) => ({ field: 'status', values: { 'In Review': ['Hold'], ...words } })
  t.equal(refusal({ mappings: [held({ 'Permit Issued': ['Out'] })] }), 'none')
  t.match(refusal({ mappings: [held({}), held({})] }), 'rules[0].mappings[1].field: status stands twice')
  t.match(refusal({ mappings: [held({ 'Permit Issued': [' HOLD'] })] }), '“hold” stands for two values')
  t.match(
    refusal({ values: [{ field: 'parcel_ids', allowed: ['1'] }] }),
    'values[0].field: expected a field of one value'
  )
  t.match(
    refusal({ required: [{ field: 'owner_name', when: { field: 'fee_lines', in: ['1'] } }] }),
    'rules[0].required[0].when.field: expected a field of one value'
  )
  t.match(refusal({ clocks: [{ name: 'c', days: 0, count: 'calendar' }] }), 'rules[0].clocks[0].days: ')
  t.match(refusal({ clocks: [{ name: 'c', days: 1, count: 'calendar', from: 'owner_name' }] }), 'expected a date')
  t.match(refusal({}, { time_zone: 'Mars/Olympus' }), 'time_zone: expected')
  t.match(refusal({}, { profile: 'pet' }), 'profile: expected one of permit, policy, lease')
  t.match(refusal({}, { parcel: {} }), 'parcel: expected either scheme or mask')
  t.match(refusal({}, { parcel: { mask: '(a+)+' } }), 'parcel: expected the name of a known scheme')
  t.match(refusal({}, { jurisdiction: 'King County' }), 'jurisdiction: expected a jurisdiction code')
  const twice = [
    { id: 'a', effective_from: '2020-01-01' },
    { id: 'b', effective_from: '2021-01-01' }
  ]
  t.match(refusal({}, { rules: twice }), 'a is still in force when b begins')
})
