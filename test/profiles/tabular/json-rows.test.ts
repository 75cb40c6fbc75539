import { test } from 'tap'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { gatherEvidence } from '../../../src/profiles/tabular/column-evidence.ts'
import { blocking, mapPermit, permitRow, rowOf } from '../rows.ts'

const json = (value: unknown) => ({ json: JSON.stringify(value) })

test('typed numbers keep every digit', async t => {
  const { fields, reasons, extra } = mapPermit(
    permitRow({
      permit_number: { json: '202506309745123456789' },
      valuation: { json: '8400.5' },
      units: { json: '72' },
      ratio: { json: '0.1000' },
      seen: { json: 'true' },
      issued_date: { json: 'null' }
    })
  )
  t.strictSame(reasons, [])
  t.match(fields['submission_id'], { value: '202506309745123456789', flags: ['COERCED_TO_STRING'] })
  t.equal(fields['project_valuation']?.value, '8400.50')
  t.equal(fields['housing_units']?.value, 72)
  t.notOk('issued_date' in fields)
  t.same(extra, { ratio: '0.1000', seen: true })
})

test('a JSON number has a point as decimal sign', async t => {
  const comma = { source: { decimal: ',' } as const }
  t.equal(mapPermit(permitRow({ valuation: { json: '1250.5' } }), comma).fields['project_valuation']?.value, '1250.50')
  t.equal(mapPermit(permitRow({ valuation: '1.250,5' }), comma).fields['project_valuation']?.value, '1250.50')
})

test('attachments are read by their shape and lose nothing', async t => {
  const { fields, reasons } = mapPermit(
    permitRow({
      attachments: json([
        { name: 'plan.pdf', size: 1200, pages: [1, 2] },
        { filename: 'b.pdf', size: 'big', type: null },
        'c.pdf'
      ])
    })
  )
  t.same(fields['attachments']?.value, [
    { filename: 'plan.pdf', size_bytes: 1200, extra: { pages: [1, 2] } },
    { filename: 'b.pdf', extra: { size: 'big' } },
    { filename: 'c.pdf' }
  ])
  t.match(reasons, [{ code: 'FIELD_WARNING', severity: 'warn', field: 'attachments' }])
})

test('lists of texts, from JSON and from one cell', async t => {
  t.same(mapPermit(permitRow({ pin_list: json(['1', '2']) })).fields['parcel_ids']?.value, ['1', '2'])
  t.same(mapPermit(permitRow({ pin_list: '17031 | 17032' })).fields['parcel_ids']?.value, ['17031', '17032'])
  t.match(mapPermit(permitRow({ pin_list: json([{ a: 1 }]) })).reasons, [{ code: 'FIELD_WARNING' }])
})

test('the members of an Accela record', async t => {
  const record = rowOf({
    customId: 'BLD-24-1',
    type: json({ value: 'Building/Residential/New/NA', type: 'Residential' }),
    status: json({ value: 'ISS', text: 'Issued' }),
    openedDate: '2024-01-02',
    jobValue: { json: '8400' },
    parcels: json([
      { parcelNumber: '22-118', isPrimary: 'Y' },
      { parcelNumber: '22-119', isPrimary: 'N' }
    ]),
    addresses: json([{ addressLine1: '9 Elm St' }]),
    renewalInfo: json({ expirationDate: '2026-01-02' })
  })
  const { fields, reasons, extra } = mapPermit(record)
  t.strictSame(blocking(reasons), [])
  t.match(fields, {
    submission_id: { value: 'BLD-24-1' },
    permit_type_code: { value: 'Building/Residential/New/NA' },
    status: { value: 'Issued', origin: { column: 'status.text' } },
    status_mapped: { value: 'Permit Issued' },
    applied_date: { value: '2024-01-02' },
    project_valuation: { value: '8400.00' },
    parcel_id: { value: '22-118' },
    site_address: { value: '9 Elm St' },
    expires_date: { value: '2026-01-02' }
  })
  t.strictSame(
    Object.keys(extra).toSorted(),
    ['addresses', 'parcels', 'renewalInfo', 'status', 'type'],
    'nothing is lost'
  )
})

test('two parcels without a main one are two candidates', async t => {
  const parcels = json([{ parcelNumber: '22-118' }, { parcelNumber: '22-119' }])
  const { reasons } = mapPermit(permitRow({ parcel_id: undefined, parcels }))
  t.equal(reasons.filter(reason => reason.field === 'parcel_id').length, 1)
  t.notOk(reasons.every(reason => reason.severity !== 'block'))
})

test('an object where a scalar belongs', async t => {
  t.strictSame(blocking(mapPermit(permitRow({ valuation: json({ amount: 1 }) })).reasons), [
    'FIELD_INVALID project_valuation'
  ])
  t.match(mapPermit(permitRow({ applicant: json({ first: 'Ida' }) })).reasons, [
    { code: 'FIELD_WARNING', field: 'applicant_name' }
  ])
  t.equal(mapPermit(permitRow({ parcel_id: json(['22-118']) })).fields['parcel_id']?.value, '22-118', 'a list of one')
})

test('a nested __proto__ is a member like others', async t => {
  const { extra } = mapPermit(permitRow({ more: { json: '{"__proto__":{"polluted":1},"n":12345678901234567890}' } }))
  t.equal(JSON.stringify(extra), '{"more":{"__proto__":{"polluted":1},"n":"12345678901234567890"}}')
  t.notOk('polluted' in {})
})

test('members of nested objects that only a source names are read where it names them', async t => {
  const row = {
    row: 1,
    line: 1,
    names: ['vorgang', 'permit_type', 'parcel_id', 'valuation'],
    values: [{ json: '{"nummer":202506309745123456789,"wann":"17/04/2024"}' }, 'roof', '22-1', '1.00']
  }
  const source = { columns: { 'vorgang.nummer': 'submission_id', 'Vorgang.Wann': 'applied_date' } }
  const collector = gatherEvidence(permit, source.columns)
  collector.add(row)
  const { fields, reasons, extra } = mapPermit(row, { source, evidence: collector.result() })
  t.strictSame(blocking(reasons), [])
  t.match(fields['submission_id'], { value: '202506309745123456789', origin: { row: 1, column: 'vorgang.nummer' } })
  t.match(fields['applied_date'], { value: '2024-04-17', raw: '17/04/2024', origin: { column: 'vorgang.wann' } })
  t.match(extra, { vorgang: { wann: '17/04/2024' } })
  t.match(blocking(mapPermit(row).reasons), ['FIELD_MISSING submission_id'], 'nobody names them')
})

test('features of maps carry their record in properties or attributes', async t => {
  const values = { permit_number: 'BP-7', permit_type: 'roof', parcel_id: '22-118', valuation: 8400.5, ward: 7 }
  for (const member of ['properties', 'attributes']) {
    const { fields, reasons, extra } = mapPermit(
      rowOf({ type: 'Feature', [member]: json(values), geometry: json({ type: 'Point', coordinates: [1, 2] }) })
    )
    t.strictSame(blocking(reasons), [])
    t.match(fields['submission_id'], { value: 'BP-7', origin: { column: `${member}.permit_number` } })
    t.match(fields['permit_type_code'], { value: 'roof' })
    t.match(fields['project_valuation'], { value: '8400.50' })
    t.same(extra[member], values)
    t.equal(extra['type'], 'Feature')
  }
})

test('that it is a feature is no permit type', async t => {
  const values = { permit_number: 'BP-7', parcel_id: '22-118', valuation: 8400 }
  const { fields, reasons } = mapPermit(rowOf({ type: 'Feature', properties: json(values), geometry: json(null) }))
  t.strictSame(blocking(reasons), ['FIELD_MISSING permit_type_code'])
  t.equal(fields['permit_type_code']?.value, null)
})

test('types that databases write around a value, and an amount beside its currency', async t => {
  const valuationOf = (value: unknown) => mapPermit(permitRow({ valuation: json(value) })).fields['project_valuation']
  t.equal(valuationOf({ amount: 1500, currency: 'USD' })?.value, '1500.00')
  t.equal(valuationOf({ currencyCode: 'USD', value: '1500.50' })?.value, '1500.50')
  t.equal(valuationOf({ $numberDecimal: '1500.10' })?.value, '1500.10')
  t.match(valuationOf({ amount: 1500, currency: 'EUR' })?.flags, ['UNEXPECTED_CURRENCY'])
  for (const value of [
    { amount: 1500 },
    { amount: 1, currency: null },
    { amount: 1, currency: 'USD', tax: 2 },
    [1, 2],
    {}
  ])
    t.equal(valuationOf(value)?.value, null, JSON.stringify(value))
  const issuedOf = (value: unknown) => mapPermit(permitRow({ issued_date: json(value) }))
  for (const value of [
    { $date: '2024-04-02T00:00:00Z' },
    { $date: { $numberLong: '1712016000000' } },
    { $date: 1712016000000 }
  ])
    t.equal(issuedOf(value).fields['issued_date']?.value, '2024-04-02', JSON.stringify(value))
})

test('a date or an amount in a form that is not read holds the record, also where the field is optional', async t => {
  for (const value of [{ year: 2024, month: 4, day: 2 }, [2024, 4, 2], ['2024-04-02', '2024-04-03'], {}]) {
    const { reasons } = mapPermit(permitRow({ issued_date: json(value) }))
    t.strictSame(blocking(reasons), ['INVALID_DATE issued_date'], JSON.stringify(value))
  }
})

test('the mark that keeps a number text is no part of a date or an amount', async t => {
  const { fields, reasons } = mapPermit(
    permitRow({ valuation: "'1250.00", issued_date: "'2024-02-06", applicant: "'t Hof 2" })
  )
  t.strictSame(blocking(reasons), [])
  t.equal(fields['project_valuation']?.value, '1250.00')
  t.equal(fields['issued_date']?.value, '2024-02-06')
  t.equal(fields['applicant_name']?.value, "'t Hof 2")
  t.strictSame(blocking(mapPermit(permitRow({ valuation: "1'250'" })).reasons), ['INVALID_NUMBER project_valuation'])
})
