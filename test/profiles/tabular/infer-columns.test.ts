import { test } from 'tap'
import type { RawValue } from '../../../src/model/rows.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { gatherEvidence } from '../../../src/profiles/tabular/column-evidence.ts'
import { rowMapper } from '../../../src/profiles/tabular/row-mapper.ts'
import { blocking, CONTEXT } from '../rows.ts'

type Cells = readonly RawValue[]

/** Reads a whole file: first what its columns prove, then its rows. */
function readFile(names: readonly string[], rows: readonly Cells[], context: object = {}) {
  const raw = rows.map((values, at) => ({ row: at + 1, line: at + 2, names, values }))
  const collector = gatherEvidence(permit)
  for (const row of raw) collector.add(row)
  const map = rowMapper(permit, { ...CONTEXT, ...context, evidence: collector.result() })
  return raw.map(map)
}

const NAMES = ['Permit No', 'Type', 'Parcel']
const permitCells = (no: number): string[] => [`BP-${no}`, 'roof', `22-${no}`]
const file = (heading: string, cells: Cells, context?: object) =>
  readFile(
    [...NAMES, heading],
    cells.map((cell, at) => [...permitCells(at), cell]),
    context
  )
const valueOf = (records: ReturnType<typeof readFile>, field: string): unknown[] =>
  records.map(({ fields }) => fields[field]?.value ?? null)

test('a heading that may mean several things is a field when every cell is of its kind, and it is said', async t => {
  const table: [string, Cells, string, unknown[]][] = [
    ['Value', ['8,400.00', '$1,250'], 'project_valuation', ['8400.00', '1250.00']],
    ['COST', ['8400', '12.50'], 'project_valuation', ['8400.00', '12.50']],
    ['Amount', [{ json: '8400' }, { json: '1250.5' }], 'project_valuation', ['8400.00', '1250.50']],
    ['Applied', ['2024-02-01', '2/13/2024'], 'applied_date', ['2024-02-01', '2024-02-13']],
    ['Issued', ['13.02.2024', '04.02.2024'], 'issued_date', ['2024-02-13', '2024-02-04']],
    ['Expires', ['2024-02-01', 'N/A'], 'expires_date', ['2024-02-01', null]],
    ['Finaled', ['Feb 1, 2024', ''], 'completed_date', ['2024-02-01', null]]
  ]
  for (const [heading, cells, field, values] of table) {
    const records = file(heading, cells)
    t.strictSame(valueOf(records, field), values, heading)
    t.match(records[0]?.fields[field], { flags: ['COLUMN_INFERRED'], origin: { column: heading } }, heading)
    t.match(records[0]?.reasons.at(-1) ?? {}, { severity: /warn|block/ })
    t.ok(
      records[0]?.reasons.some(({ code, severity }) => code === 'COLUMN_INFERRED' && severity === 'warn'),
      heading
    )
  }
})

test('and is no field when its cells are anything else, or something else claims the field', async t => {
  const none: [string, Cells, string][] = [
    ['Value', ['8,400.00', 'high'], 'project_valuation'],
    ['Value', ['2024-02-01', '2024-02-02'], 'project_valuation'],
    ['Value', ['', 'N/A'], 'project_valuation'],
    ['Value', ['45337', '45338'], 'project_valuation'],
    ['Applied', ['yes', 'no'], 'applied_date'],
    ['Applied', ['2024-02-01', 'Ida Novak'], 'applied_date'],
    ['Issued', ['100.00', '200.00'], 'issued_date'],
    ['Issued', ['20240201', '20240202'], 'issued_date'],
    ['Date', ['2024-02-01', '2024-02-02'], 'applied_date'],
    ['Date', ['2024-02-01', '2024-02-02'], 'issued_date'],
    ['Assessed Value', ['8400.00', '1.00'], 'project_valuation'],
    ['Number', ['8400.00', '1.00'], 'project_valuation']
  ]
  for (const [heading, cells, field] of none) {
    const records = file(heading, cells)
    t.strictSame(valueOf(records, field), [null, null], `${heading} ${JSON.stringify(cells)}`)
  }
  const rivals = readFile([...NAMES, 'Value', 'Cost'], [[...permitCells(1), '1.00', '2.00']])
  t.strictSame(valueOf(rivals, 'project_valuation'), [null], 'two could be it')
  const owned = readFile([...NAMES, 'Value', 'Valuation'], [[...permitCells(1), '1.00', '2.00']])
  t.strictSame(valueOf(owned, 'project_valuation'), ['2.00'], 'the field has its own column')
  t.equal(owned[0]?.extra['Value'], '1.00')
  const alone = readFile(['Permit No', 'Value', 'Notes'], [['BP-1', '1.00', 'x']])
  t.strictSame(valueOf(alone, 'project_valuation'), [null], 'nothing beside it tells the profile')
  const unmapped = file('Value', ['1.00', '2.00'], { source: { columns: { value: null } } })
  t.strictSame(valueOf(unmapped, 'project_valuation'), [null, null], 'its source says it is none')
})

test('a required column that is missing is told with the columns that may be it', async t => {
  const table: [string, string][] = [
    ['Value', 'high'],
    ['Valuaton', '8400.00'],
    ['Project Value Est', '8400.00']
  ]
  for (const [heading, cell] of table) {
    const [record] = file(heading, [cell])
    t.strictSame(blocking(record?.reasons ?? []), ['FIELD_MISSING project_valuation'], heading)
    t.match(record?.reasons.find(({ code }) => code === 'FIELD_MISSING')?.message, new RegExp(`“${heading}”`))
  }
  const [other] = file('Inspector', ['Ida Novak'])
  t.strictSame(blocking(other?.reasons ?? []), ['FIELD_MISSING project_valuation'])
  t.notMatch(other?.reasons[0]?.message ?? '', /Inspector|Novak/, 'a name that is nothing like it')
})

test('notes in a heading do not count, notes that name another thing do', async t => {
  for (const heading of [
    'Valuation (required)',
    '*Valuation ($)',
    'Valuation [USD]',
    'Valuation__c',
    'VALUATION (US dollars)'
  ]) {
    t.strictSame(valueOf(file(heading, ['1.00']), 'project_valuation'), ['1.00'], heading)
  }
  for (const heading of ['Valuation (land)', 'Valuation (old)', 'Valuation (assessor)', 'Land Valuation']) {
    t.strictSame(valueOf(file(heading, ['1.00']), 'project_valuation'), [null], heading)
  }
})

test('a heading that names another currency or a percentage is no column of dollars, and is suggested', async t => {
  for (const heading of ['Valuation (€)', 'Valuation £', '¥ valuation', 'Valuation [₹]', 'Valuation (¢)', 'Valuation %', 'Job Value ‰']) {
    const [record] = file(heading, ['85'])
    t.strictSame(blocking(record?.reasons ?? []), ['FIELD_MISSING project_valuation'], heading)
    t.match(record?.reasons.find(({ code }) => code === 'FIELD_MISSING')?.message, 'it may be', heading)
  } // biome-ignore format: a list
  for (const heading of ['Valuation $', 'Valuation ＄'])
    t.strictSame(valueOf(file(heading, ['85']), 'project_valuation'), ['85.00'], heading)
  t.strictSame(valueOf(file('Units %', ['3']), 'housing_units'), [null], 'a share is no count')
  t.strictSame(valueOf(file('Units ¤', ['3']), 'housing_units'), [3], 'what is no amount has no currency')
})

test('a heading that asks for an order declares it; where cells prove another one, neither is followed', async t => {
  const ordered = (heading: string, cells: Cells) => valueOf(file(heading, cells), 'issued_date')
  t.strictSame(ordered('Issue Date (MM/DD/YYYY)', ['03/04/2024']), ['2024-03-04'])
  t.strictSame(ordered('Issue Date (dd.mm.yyyy)', ['03.04.2024']), ['2024-04-03'])
  t.strictSame(ordered('Issue Date (MM/DD/YYYY)', ['13/04/2024', '03/04/2024']), ['2024-04-13', null])
  t.strictSame(ordered('Issue Date (dd.mm.yyyy)', ['04.13.2024', '03.04.2024']), ['2024-04-13', null])
  const declared = file('Issue Date (MM/DD/YYYY)', ['13/04/2024', '03/04/2024'], { source: { dateOrder: 'dmy' } })
  t.strictSame(valueOf(declared, 'issued_date'), ['2024-04-13', '2024-04-03'], 'the source knows')
  t.strictSame(ordered('Issue Date', ['03/04/2024']), [null])
  t.strictSame(ordered('Issue Date (UTC)', ['03/04/2024']), [null])
})

test('day numbers of a spreadsheet are dates only where the column proves or the source declares them', async t => {
  const dates = (cells: Cells, context?: object, heading = 'Issue Date') =>
    valueOf(file(heading, cells, context), 'issued_date')
  t.strictSame(dates(['45337', '45399']), ['2024-02-15', '2024-04-17'], 'the later system would lie in the future')
  t.strictSame(dates(['45337.40625', '45399']), ['2024-02-15', '2024-04-17'])
  t.strictSame(dates(['45337'], { source: { serialDates: '1900' } }), ['2024-02-15'])
  t.strictSame(dates(['43875'], { source: { serialDates: '1904' } }), ['2024-02-15'])
  const unproven: [string, Cells][] = [
    ['a single number may be the day of a year', ['45337']],
    ['all may be', ['45337', '45301']],
    ['other dates beside them', ['45399', '2024-02-15']],
    ['words beside them', ['45399', 'pending']],
    ['long ago by both systems', ['40399', '40400']],
    ['out of range', ['12399', '12400']],
    ['fractions only', ['0.40625', '0.5']]
  ]
  for (const [why, cells] of unproven) t.equal(dates(cells)[0], null, why)
  const [record] = file('Issue Date', ['45337'])
  t.match(record?.fields['issued_date'], { status: 'invalid', readings: ['2024-02-15', '2028-02-16'] }, 'both readings')
  const future = readFile([...NAMES, 'Expires On', 'Expiration Date'], [[...permitCells(1), 'x', '46399']])
  t.strictSame(valueOf(future, 'expires_date'), [null], 'a day to come proves no system')
  const both = readFile(
    [...NAMES, 'Issue Date', 'Expiration Date'],
    [
      [...permitCells(1), '45399', '46399'],
      [...permitCells(2), '45400', '46400']
    ]
  )
  t.strictSame(valueOf(both, 'expires_date'), ['2027-01-12', '2027-01-13'], 'what one column proves holds for the file')
})

test('columns of no field are watched too, for a source may map them later', async t => {
  const collector = gatherEvidence(permit)
  const names = ['Permit No', 'Wann', 'Betrag', 'Notiz']
  collector.add({ row: 1, line: 2, names, values: ['BP-1', '17.11.2023', '1.250,50', '12 boards'] })
  t.strictSame(collector.result(), {
    columns: [
      { name: 'Wann', dateOrder: 'dmy' },
      { name: 'Betrag', decimal: ',' }
    ]
  })
  const many = gatherEvidence(permit)
  for (let at = 0; at < 3000; at += 1) many.add({ row: at, line: at, names: [`n${at}`], values: ['17/11/2023'] })
  t.ok(many.state().length <= 1000, 'names without end take no memory without end')
})
