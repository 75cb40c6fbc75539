import { test } from 'tap'
import { applyCorrections } from '../../../src/profiles/judge/apply-corrections.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { blocking, CONTEXT, mapPermit, permitRow } from '../rows.ts'

/** As a clerk meets it: the record with all reasons it was held for. */
function heldPermit(changes: Record<string, string>) {
  const candidate = mapPermit(permitRow(changes))
  return { ...candidate, reasons: judge(permit, candidate, CONTEXT).reasons }
}

const correct = (changes: Record<string, string>, corrections: Record<string, string | null>) =>
  applyCorrections(permit, heldPermit(changes), corrections, CONTEXT)

test('a corrected field is human, sure, and read by its own rules', async t => {
  const corrected = correct({ issued_date: '03/04/2024' }, { issued_date: '2024-04-03', project_valuation: '$9,000' })
  t.strictSame(corrected.fields['issued_date'], {
    value: '2024-04-03',
    raw: '2024-04-03',
    status: 'human',
    confidence: 1,
    origin: null,
    flags: []
  })
  t.equal(corrected.fields['project_valuation']?.value, '9000.00')
  t.equal(judge(permit, corrected, CONTEXT).state, 'accepted')
})

test('what was not corrected still holds', async t => {
  const corrected = correct({ issued_date: '2024-02-30', valuation: '' }, { issued_date: '2024-02-28' })
  t.strictSame(blocking(judge(permit, corrected, CONTEXT).reasons), ['FIELD_MISSING project_valuation'])
})

test('a correction that leaves two readings, or none, is refused as a whole', async t => {
  const refused = {
    issued_date: '03/04/2024',
    valuation: '1',
    project_valuation: '1.234',
    fee_cents: '5',
    parcel_id: '22-9'
  }
  t.throws(() => correct({}, refused), {
    code: 'FIELD_INVALID',
    details: { fields: ['issued_date', 'valuation', 'project_valuation', 'fee_cents'] }
  })
  for (const corrections of [
    { project_valuation: '-5' },
    { jurisdiction_fips: '53061' },
    { __proto: 'x' },
    { parcel_id: 'TBD' }
  ]) {
    t.throws(() => correct({}, corrections), { code: 'FIELD_INVALID' }, JSON.stringify(corrections))
  }
  try {
    correct({}, { issued_date: '03/04/2024' })
  } catch (error) {
    t.notMatch(String(error), '03/04/2024', 'no submitted value in a message')
  }
})

test('null clears a field; a required one is then missing', async t => {
  const cleared = correct({ issued_date: '2024-02-30' }, { issued_date: null })
  t.match(cleared.fields['issued_date'], { value: null, status: 'absent', flags: ['CLEARED_BY_HAND'] })
  t.equal(judge(permit, cleared, CONTEXT).state, 'accepted')
  t.strictSame(blocking(correct({}, { parcel_id: null }).reasons), ['FIELD_MISSING parcel_id'])
})

test('reasons of rules are made anew', async t => {
  const dates = { applied_date: '2024-03-01', issued_date: '2024-02-01' }
  t.match(heldPermit(dates).reasons, [{ code: 'DATE_ORDER', field: 'issued_date' }])
  const corrected = correct(dates, { applied_date: '2024-01-15' })
  t.strictSame(judge(permit, corrected, CONTEXT).reasons, [])
})

test('the companion follows a corrected status, unless it was corrected itself', async t => {
  t.equal(correct({ status: 'Zoning Hold 7B' }, { status: 'issued' }).fields['status_mapped']?.value, 'Permit Issued')
  t.strictSame(correct({ status: 'Zoning Hold 7B' }, { status: 'issued' }).reasons, [])
  const both = correct({ status: 'issued' }, { status: 'odd', status_mapped: 'Appeal' })
  t.match(both.fields['status_mapped'], { value: 'Appeal', status: 'human' })
  t.notOk('status_mapped' in correct({ status: 'odd' }, { status: null }).fields)
})

test('a faulty row is settled when every required field was entered by hand', async t => {
  const fault = { code: 'COLUMN_COUNT_MISMATCH' } as const
  const held = mapPermit({ row: 2, line: 3, names: ['a', 'b'], values: ['x'], fault })
  const all = { submission_id: 'BP-17', permit_type_code: 'roof', parcel_id: '22-138', project_valuation: '5200' }
  const settled = judge(permit, applyCorrections(permit, held, all, CONTEXT), CONTEXT)
  t.strictSame([settled.state, settled.values['jurisdiction_fips']], ['accepted', '53033'])
  const { parcel_id: _parcel, ...some } = all
  const partly = judge(permit, applyCorrections(permit, held, some, CONTEXT), CONTEXT)
  t.strictSame(blocking(partly.reasons), ['COLUMN_COUNT_MISMATCH -', 'FIELD_MISSING parcel_id'])
})

test('a hold that concerns the record as a whole outlives the correction of one field', async t => {
  const candidate = mapPermit({ ...permitRow(), fault: { code: 'DUPLICATE_KEY' } })
  const corrected = applyCorrections(permit, candidate, { project_valuation: '5' }, CONTEXT)
  t.strictSame(blocking(corrected.reasons), ['DUPLICATE_KEY -'])
})

test('a list whose escapes write what no database holds is refused', t => {
  for (const escaped of ['\\u0000', '\\ud800', 'x\\udc00']) {
    const attachments = `[{"filename":"a${escaped}"}]`
    t.throws(() => correct({}, { attachments }), { code: 'FIELD_INVALID' }, escaped)
    t.throws(() => correct({}, { attachments: `[{"${escaped}":"a"}]` }), { code: 'FIELD_INVALID' }, escaped)
  }
  t.ok(correct({}, { attachments: '[{"filename":"a\\u00e9"}]' }).fields['attachments']?.value)
  t.end()
})
