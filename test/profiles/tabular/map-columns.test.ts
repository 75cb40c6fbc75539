import { test } from 'tap'
import { foldColumnName } from '../../../src/profiles/fold-column-name.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { knownColumn } from '../../../src/profiles/tabular/column-index.ts'
import { columnKinds, MappingCache, mapColumns } from '../../../src/profiles/tabular/map-columns.ts'
import type { SourceOptions } from '../../../src/profiles/tabular/source-options.ts'

/** Field → its own column names, for the fields that have some. */
function ownColumns(names: readonly string[], overrides?: SourceOptions['columns']): Record<string, string[]> {
  const { fields } = mapColumns(permit, names, overrides === undefined ? {} : { overrides })
  const pairs = fields.map(({ field, own }): [string, string[]] => [field.name, own.map(at => names[at] ?? '')])
  return Object.fromEntries(pairs.filter(([, columns]) => columns.length > 0))
}

test('case, accents, punctuation and underscores do not count', async t => {
  for (const name of ['PermitNum', 'permit_num', 'PERMIT NUM', 'permit-num', 'Pérmit Num', ' permit.num ']) {
    t.equal(foldColumnName(name), 'permitnum', name)
  }
  t.equal(foldColumnName('Permit #'), foldColumnName('PERMIT_NO'))
  t.ok(knownColumn(permit, 'Permit_'), 'as Chicago writes it')
  t.notOk(knownColumn(permit, 'Total: 812'))
  t.notOk(knownColumn(permit, ''))
})

const DIALECTS: Record<string, { names: string[]; expected: Record<string, string[]> }> = {
  BLDS: {
    names: [
      'PermitNum',
      'Description',
      'AppliedDate',
      'IssuedDate',
      'StatusCurrent',
      'StatusCurrentMapped',
      'OriginalAddress1',
      'PermitType',
      'EstProjectCost',
      'PIN',
      'ContractorCompanyName'
    ],
    expected: {
      submission_id: ['PermitNum'],
      work_description: ['Description'],
      applied_date: ['AppliedDate'],
      issued_date: ['IssuedDate'],
      status: ['StatusCurrent'],
      status_mapped: ['StatusCurrentMapped'],
      site_address: ['OriginalAddress1'],
      permit_type_code: ['PermitType'],
      project_valuation: ['EstProjectCost'],
      parcel_id: ['PIN'],
      contractor_name: ['ContractorCompanyName']
    }
  },
  'San Francisco': {
    names: [
      'permit_number',
      'permit_type',
      'permit_type_definition',
      'filed_date',
      'issued_date',
      'status',
      'status_date',
      'estimated_cost',
      'revised_cost',
      'proposed_units',
      'block',
      'lot'
    ],
    expected: {
      submission_id: ['permit_number'],
      permit_type_code: ['permit_type'],
      permit_type_desc: ['permit_type_definition'],
      applied_date: ['filed_date'],
      issued_date: ['issued_date'],
      status: ['status'],
      status_date: ['status_date'],
      project_valuation: ['estimated_cost'],
      housing_units: ['proposed_units']
    }
  },
  Chicago: {
    names: [
      'id',
      'permit_',
      'permit_type',
      'application_start_date',
      'issue_date',
      'reported_cost',
      'permit_status',
      'pin1'
    ],
    expected: {
      submission_id: ['permit_'],
      permit_type_code: ['permit_type'],
      applied_date: ['application_start_date'],
      issued_date: ['issue_date'],
      project_valuation: ['reported_cost'],
      status: ['permit_status'],
      parcel_id: ['pin1']
    }
  },
  'Los Angeles': {
    names: [
      'permit_nbr',
      'work_desc',
      'submitted_date',
      'issue_date',
      'status_desc',
      'permit_type',
      'primary_address',
      'apn',
      'pin_nbr',
      'valuation'
    ],
    expected: {
      submission_id: ['permit_nbr'],
      work_description: ['work_desc'],
      applied_date: ['submitted_date'],
      issued_date: ['issue_date'],
      status: ['status_desc'],
      permit_type_code: ['permit_type'],
      site_address: ['primary_address'],
      parcel_id: ['apn'],
      project_valuation: ['valuation']
    }
  }
}

for (const [city, { names, expected }] of Object.entries(DIALECTS)) {
  test(`the columns of ${city}`, async t => t.strictSame(ownColumns(names), expected))
}

test('columns of no field are kept aside, and so are columns that only stand in', async t => {
  const names = ['permit_number', 'ward', 'id']
  t.strictSame(mapColumns(permit, names).extra, [1, 2])
})

test('the most telling name comes first', async t => {
  t.strictSame(ownColumns(['address', 'site_address'])['site_address'], ['site_address', 'address'])
})

test("a source's names go before the profile's", async t => {
  const overrides = { 'Ref.': 'submission_id', permit_number: null, VALUE: 'project_valuation' }
  const names = ['ref', 'permit_number', 'value']
  t.strictSame(ownColumns(names, overrides), { submission_id: ['ref'], project_valuation: ['value'] })
  t.strictSame(mapColumns(permit, names, overrides === undefined ? {} : { overrides }).extra, [1])
  for (const field of ['nowhere', 'fee_cents', '__proto__']) {
    t.throws(() => mapColumns(permit, names, { overrides: { ref: field } }), { code: 'CONFIG_INVALID' }, field)
  }
})

test('the kinds of columns that can prove how they are written', async t => {
  const mapping = mapColumns(permit, ['permit_number', 'issue_date', 'valuation', 'units', 'ward'])
  t.strictSame(columnKinds(mapping), { dates: [1], numbers: [2, 3], hinted: [], others: [4] })
})

test('mappings are remembered by their names and never mixed up', async t => {
  let made = 0
  const cache = new MappingCache(names => {
    made += 1
    return names.length
  })
  t.equal(cache.get(['a', 'b']), 2)
  t.equal(cache.get(['a', 'b']), 2)
  t.equal(made, 1)
  t.equal(cache.get(['a\u0000b']), 1)
})
