import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { gatherEvidence } from '../../../src/profiles/tabular/column-evidence.ts'
import { rowMapper } from '../../../src/profiles/tabular/row-mapper.ts'
import { blocking, CONTEXT, mapPermit, permitRow, rowOf, rowsOf } from '../rows.ts'

/** State, holding reasons and values of every row of a file, by line. */
function outcomes(name: string, delimiter = ',') {
  const rows = rowsOf(readFileSync(new URL(`../../fixtures/profiles/${name}.csv`, import.meta.url), 'utf8'), delimiter)
  const collector = gatherEvidence(permit)
  for (const row of rows) collector.add(row)
  const map = rowMapper(permit, { ...CONTEXT, evidence: collector.result() })
  return rows.map(row => {
    const { state, reasons, values } = judge(permit, map(row), CONTEXT)
    return { line: row.line, state, holds: blocking(reasons).join(), values }
  })
}

const accepted = (line: number, values: object) => ({ line, state: 'accepted', holds: '', values })
const held = (line: number, holds: string) => ({ line, state: 'quarantined', holds })

const FILES: Record<string, object[]> = {
  'csv-cs01': [accepted(2, { submission_id: 'BP-0001', project_valuation: '8400.00', issued_date: '2024-02-06' })],
  'csv-cs05': [held(2, 'ID_NUMERIC_COERCED parcel_id'), accepted(3, { parcel_id: '740266013905' })],
  'csv-cs07': [
    accepted(2, { submission_id: '860914e1', parcel_id: '417550918260034561' }),
    accepted(3, { submission_id: '860914e2', parcel_id: '417550918260034562' })
  ],
  'csv-cs09': [held(2, 'DUPLICATE_HEADER status')],
  'csv-cs15': [
    held(2, 'INVALID_DATE issued_date'),
    held(3, 'INVALID_DATE issued_date'),
    accepted(4, { issued_date: '2024-02-26' })
  ],
  'csv-cs21': [accepted(2, { site_address: '46 Elm St Rear unit' }), held(5, 'INVALID_DATE issued_date')],
  'date-money-dm01': [
    accepted(2, { issued_date: '2023-11-17' }),
    accepted(3, { issued_date: '2023-11-05' }),
    accepted(4, { issued_date: '2023-11-10' })
  ],
  'date-money-dm05': [
    held(2, 'INVALID_DATE issued_date'),
    accepted(3, { issued_date: '2024-02-29' }),
    held(4, 'INVALID_DATE issued_date'),
    held(5, 'INVALID_DATE issued_date'),
    held(6, 'INVALID_DATE issued_date')
  ],
  'date-money-dm09': [
    held(2, 'NEGATIVE_AMOUNT project_valuation'),
    held(3, 'NEGATIVE_AMOUNT project_valuation'),
    held(4, 'NEGATIVE_AMOUNT project_valuation'),
    accepted(5, { project_valuation: '0.74' }),
    accepted(6, { project_valuation: '1250.00' }),
    held(7, 'UNEXPECTED_CURRENCY project_valuation'),
    accepted(8, { project_valuation: '1200000.00' })
  ]
}

for (const [name, expected] of Object.entries(FILES)) {
  test(name, async t => {
    const found = outcomes(name)
    t.equal(found.length, expected.length)
    t.match(found, expected)
  })
}

test('decimal commas that the column proves', async t => {
  t.match(
    outcomes('csv-cs03', ';').map(({ values }) => values['project_valuation']),
    ['1250.50', '980.00', '12400.00']
  )
})

test('a parcel made of block and lot, and of borough, block and lot', async t => {
  const parcel = (members: Record<string, string>) =>
    mapPermit(permitRow({ parcel_id: undefined, ...members })).fields['parcel_id']
  t.match(parcel({ block: '0275B', lot: '054' }), {
    value: '0275B054',
    status: 'derived',
    raw: '0275B 054',
    flags: ['DERIVED']
  })
  t.match(parcel({ block: '576', lot: '26' }), { value: '0576026', flags: ['DERIVED', 'ZERO_PADDED'] })
  t.match(parcel({ borough: 'MANHATTAN', block: '123', lot: '45' }), {
    value: '1001230045',
    origin: { column: 'borough + block + lot' }
  })
  t.match(parcel({ borough: '3', block: '00123', lot: '0045' }), { value: '3001230045' })
  t.match(
    parcel({ borough: 'Nowhere', block: '123', lot: '45' }),
    { value: null, status: 'invalid' },
    'not another city'
  )
  t.match(parcel({ block: '576', lot: '' }), { value: null, status: 'absent' })
  t.equal(
    mapPermit(permitRow({ block: '576', lot: '26' })).fields['parcel_id']?.value,
    '22-118',
    'its own column goes first'
  )
})

test('an address made of its parts, in their usual order', async t => {
  const { fields, extra } = mapPermit(
    permitRow({ street_name: 'ELM', street_suffix: 'ST', street_number: '9', unit: '' })
  )
  t.match(fields['site_address'], { value: '9 ELM ST', status: 'derived', flags: ['DERIVED'] })
  t.same(extra, {})
})

test('statuses and types stay as written, with their BLDS reading beside', async t => {
  const read = (status: string) => mapPermit(permitRow({ status }))
  t.match(read('reviews in  Process').fields, {
    status: { value: 'reviews in Process' },
    status_mapped: { value: 'In Review', status: 'derived' }
  })
  const unmapped = read('Zoning Hold 7B')
  t.match(unmapped.fields, {
    status: { value: 'Zoning Hold 7B' },
    status_mapped: { value: null, flags: ['UNMAPPED_ENUM'] }
  })
  t.match(unmapped.reasons, [{ code: 'UNMAPPED_ENUM', severity: 'warn', field: 'status_mapped' }])
  const sent = mapPermit(permitRow({ StatusCurrent: 'Complete', StatusCurrentMapped: 'permit issued' }))
  t.match(sent.fields['status_mapped'], { value: 'Permit Issued', status: 'found' }, 'what was sent goes first')
})

test('the checks across fields warn', async t => {
  const warnings = (members: Record<string, string>): string[] =>
    judge(permit, mapPermit(permitRow(members)), CONTEXT).reasons.map(
      reason => `${reason.severity} ${reason.code} ${reason.field}`
    )
  t.strictSame(warnings({ applied_date: '2024-03-01', issued_date: '2024-02-01' }), ['warn DATE_ORDER issued_date'])
  t.strictSame(warnings({ issued_date: '2024-03-01', expires_date: '2024-02-01' }), ['warn DATE_ORDER expires_date'])
  t.strictSame(warnings({ applied_date: '2024-03-01', issued_date: '2024-03-01' }), [])
  t.strictSame(warnings({ issued_date: '2026-07-01' }), ['warn OUT_OF_RANGE issued_date'], 'after today')
  t.strictSame(warnings({ issued_date: '2026-06-30' }), [])
  t.strictSame(warnings({ valuation: '0' }), ['warn VALUATION_ZERO project_valuation'])
  t.strictSame(warnings({ valuation: '1000000000.01' }), ['warn OUT_OF_RANGE project_valuation'])
  t.strictSame(warnings({ valuation: '1000000000.00' }), [])
})

test('two-digit years and scaled amounts are flagged and still accepted', async t => {
  const { state, confidence } = judge(
    permit,
    mapPermit(permitRow({ valuation: '1.5M', issued_date: '2/28/25' })),
    CONTEXT
  )
  t.equal(state, 'accepted')
  t.ok(confidence < 1)
})

test('a row of an unknown file is held for every field it lacks', async t => {
  const { state, naturalKey, confidence } = judge(permit, mapPermit(rowOf({ a: '1', b: '2' })), CONTEXT)
  t.strictSame([state, naturalKey, confidence], ['quarantined', null, 0])
})
