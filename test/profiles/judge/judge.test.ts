import { test } from 'tap'
import type { Envelope } from '../../../src/model/envelope.ts'
import { reasonOf } from '../../../src/model/reasons.ts'
import type { Candidate } from '../../../src/profiles/candidate.ts'
import { defineProfile } from '../../../src/profiles/define-profile.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { blocking, CONTEXT, mapPermit, permitRow } from '../rows.ts'

function withConfidence(confidence: Readonly<Record<string, number>>): Candidate {
  const candidate = mapPermit(permitRow({ status: 'issued' }))
  const fields = Object.entries(candidate.fields).map(([name, envelope]): [string, Envelope] => [
    name,
    { ...envelope, confidence: confidence[name] ?? envelope.confidence }
  ])
  return { ...candidate, fields: Object.fromEntries(fields) }
}

test('a sure record without fault is accepted', async t => {
  const judgement = judge(permit, mapPermit(permitRow({ ward: '7' })), CONTEXT)
  t.strictSame([judgement.state, judgement.confidence, judgement.naturalKey], ['accepted', 1, 'bp-0001'])
  t.same(judgement.values, {
    submission_id: 'BP-0001',
    permit_type_code: 'roof',
    permit_type_mapped: 'Roof',
    parcel_id: '22-118',
    jurisdiction_fips: '53033',
    project_valuation: '8400.00',
    extra: { ward: '7' }
  })
})

test('confidence is that all required fields are right, and the gate holds below it', async t => {
  const sure = judge(permit, withConfidence({ parcel_id: 0.9, project_valuation: 0.9 }), CONTEXT)
  t.equal(sure.state, 'accepted')
  t.equal(sure.confidence.toFixed(2), '0.81')
  const unsure = judge(permit, withConfidence({ parcel_id: 0.9, project_valuation: 0.85 }), CONTEXT)
  t.equal(unsure.state, 'quarantined')
  t.strictSame(blocking(unsure.reasons), ['LOW_CONFIDENCE -'])
  t.equal(judge(permit, withConfidence({ status: 0.1 }), CONTEXT).state, 'accepted', 'optional fields do not count')
  t.equal(judge(permit, withConfidence({ parcel_id: 0.9 }), { ...CONTEXT, threshold: 0.95 }).state, 'quarantined')
  t.equal(judge(permit, withConfidence({ parcel_id: 0.5 }), { ...CONTEXT, threshold: 0.4 }).state, 'accepted')
})

test('single fields may have their own threshold', async t => {
  const strict = defineProfile({ ...permit, gate: { threshold: 0.8, fields: { status: 0.9 } } })
  const { reasons } = judge(strict, withConfidence({ status: 0.85 }), CONTEXT)
  t.strictSame(blocking(reasons), ['LOW_CONFIDENCE status'])
  t.equal(judge(strict, withConfidence({ status: 0.9 }), CONTEXT).state, 'accepted')
})

test('a blocking reason holds, a fatal one rejects, a warning does neither', async t => {
  const candidate = mapPermit(permitRow())
  const state = (reason: ReturnType<typeof reasonOf>) =>
    judge(permit, { ...candidate, reasons: [reason] }, CONTEXT).state
  t.equal(state(reasonOf('MANUAL_HOLD')), 'quarantined')
  t.equal(state(reasonOf('FILE_EMPTY')), 'rejected')
  t.equal(state(reasonOf('OUT_OF_RANGE')), 'accepted')
})

test('a rule that holds, and reasons told once', async t => {
  const rule = { name: 'always', version: 1, check: () => [reasonOf('DATE_ORDER', { field: 'issued_date' })] }
  const profile = defineProfile({ ...permit, rules: [rule] })
  const first = judge(profile, mapPermit(permitRow()), CONTEXT)
  t.equal(first.state, 'quarantined')
  const again = judge(profile, { ...mapPermit(permitRow()), reasons: first.reasons }, CONTEXT)
  t.strictSame(again.reasons, first.reasons)
})

test('one of a group is enough, and the surest of it counts', async t => {
  const profile = defineProfile({ ...permit, requireOneOf: [['site_address', 'owner_name']] })
  const { fields, extra } = mapPermit(permitRow({ site_address: '9 Elm St' }))
  t.equal(judge(profile, { fields, extra, reasons: [] }, CONTEXT).state, 'accepted')
  const none = mapPermit(permitRow())
  t.equal(judge(profile, none, CONTEXT).confidence, 0)
})
