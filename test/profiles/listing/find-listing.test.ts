import t from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { findListing } from '../../../src/profiles/listing/find-listing.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { CONTEXT, flow, lines } from '../find/documents.ts'
import { HEAD, type Permit, permitRow, type Row, readReport } from './report.ts'

const PERMITS: readonly Permit[] = [
  {
    number: '24-0339',
    name: 'Quarry Road Dental',
    address: '1606 North Avenue',
    type: 'Comm-Alteration',
    parcel: '0412-118-02',
    cost: '21,950.00',
    fee: '300.00'
  },
  {
    number: '*24-0340',
    name: 'Jeff & Naomi Saltmarsh',
    address: '19941 Gobbler Rd #4',
    type: 'Res-New Dwelling',
    parcel: '0412-118-03',
    cost: '580,000.00',
    fee: '2,704.00'
  },
  { number: '24-0341', name: 'Sign Permit' },
  {
    number: '24-0342',
    name: 'Iris Court LP',
    address: '4 Iris Court',
    type: 'Demo',
    parcel: '0412-119-01',
    cost: '-',
    fee: '15.00'
  }
]

const found = (document: DocumentText) => findListing(permit, document, CONTEXT) ?? []
const valuesOf = (document: DocumentText, ...names: string[]): unknown[][] =>
  found(document).map(({ fields }) => names.map(name => fields[name]?.value ?? null))

const TITLE: Row = [['CITY OF HOLLOW: BUILDING PERMIT REPORT - JUNE 2024', 260]]
const rows = PERMITS.map(permitRow)

t.test('every row of a table gives one record, with the place of each cell', async t => {
  const document = await readReport([TITLE, HEAD, ...rows])
  t.strictSame(
    valuesOf(document, 'submission_id', 'applicant_name', 'site_address', 'permit_type_code', 'project_valuation'),
    [
      ['24-0339', 'Quarry Road Dental', '1606 North Avenue', 'Comm-Alteration', '21950.00'],
      ['24-0340', 'Jeff & Naomi Saltmarsh', '19941 Gobbler Rd #4', 'Res-New Dwelling', '580000.00'],
      ['24-0341', 'Sign Permit', null, null, null],
      ['24-0342', 'Iris Court LP', '4 Iris Court', 'Demo', null]
    ]
  )
  const [, marked, bare] = found(document)
  t.match(marked?.fields['submission_id'], { raw: '*24-0340', origin: { page: 1 } })
  const origin = marked?.fields['site_address']?.origin
  const [left, , right] = origin && 'bbox' in origin ? origin.bbox : [0, 0, 1, 1]
  t.ok(left * 792 > 200 && right * 792 < 307, 'the box is that of the cell')
  t.match(
    bare?.reasons.map(reason => [reason.code, reason.field]),
    [['FIELD_MISSING', 'permit_type_code']]
  )
  t.ok(
    bare?.reasons.every(reason => reason.origin && 'page' in reason.origin),
    'what is missing has its place on the page'
  )
})

t.test('a record of a listing is judged as any other, and its cells are not surer than a table is', async t => {
  const [first] = found(await readReport([TITLE, HEAD, ...rows]))
  t.ok(first)
  if (!first) return
  const judged = judge(permit, first, CONTEXT)
  t.equal(judged.state, 'accepted')
  t.ok(judged.confidence < 0.96)
})

t.test('totals, notes, page numbers and the tables that count them are no records', async t => {
  const other: Row = [
    ['PERMITS', 50],
    ['TYPE OF PROJECT', 102],
    ['APPROX. COST', 205],
    ['PERMIT FEE', 307]
  ]
  const counts: Row = [
    ['48', 50],
    ['Comm-Alteration', 102],
    ['5,724,692.00', 205],
    ['20,639.00', 307]
  ]
  const document = await readReport(
    [
      TITLE,
      HEAD,
      ...rows.slice(0, 2),
      [
        ['Comm-Alteration Total', 307],
        ['$', 506],
        ['601,950.00', 585, 'right']
      ],
      [
        ['7/1/2024', 50],
        ['1', 700]
      ]
    ],
    [
      HEAD,
      ...rows.slice(2),
      [
        ['4', 60],
        ['TOTAL', 102],
        ['$', 506],
        ['601,950.00', 585, 'right']
      ],
      [
        ['* Permits issued outside City limits', 50],
        ['TOTAL TO JUNE 2024', 330],
        ['$', 506],
        ['9,950,000.00', 585, 'right']
      ],
      other,
      counts,
      [
        ['3', 50],
        ['Comm-Deck', 102],
        ['10,000.00', 205],
        ['45.00', 307]
      ]
    ]
  )
  t.strictSame(valuesOf(document, 'submission_id').flat(), ['24-0339', '24-0340', '24-0341', '24-0342'])
  const pages = [1, 1, 2, 2].map(page => ({ fields: { submission_id: { origin: { page } } } }))
  t.match(found(document), pages)
})

t.test('a record in two rows: the second names what stands in it', async t => {
  const head: Row = [
    ['PERMIT #', 53],
    ['NAME', 189],
    ['TYPE OF CONSTRUCTION', 300],
    ['APPROX. COST', 552],
    ['PERMIT FEE', 664]
  ]
  const record = (number: string, name: string, address: string, contractor: string): Row[] => [
    [
      [number, 53],
      [name, 107],
      ['RESIDENTIAL BASEMENT', 300],
      ['$', 535],
      ['15,000.00', 630, 'right'],
      ['$', 640],
      ['261.00', 735, 'right']
    ],
    [
      ['ADDRESS', 53],
      [address, 107],
      ['CONTRACTOR', 300],
      ...(contractor === '' ? [] : [[contractor, 380] as const]),
      ['HOOKUP FEE', 535],
      ['$', 640],
      ['-', 735, 'right']
    ]
  ]
  const document = await readReport([
    TITLE,
    head,
    ...record('230069', 'DELAHOYDE, CHRIS', '2101 TUMBLE WEED TRAIL', 'OWNER'),
    ...record('RBP-24-21*', 'IRION, ZENI L', '1904 CASCADE COURT', 'OWNER'),
    ...record('230085', 'BLOCK, PRESTON', '2323 TALISKER AVENUE', ''),
    ...record('230092', 'ENGLISH, JOHN T', '1214 TERRY PEAK LANE', 'ENGLISH SIDING')
  ])
  t.strictSame(valuesOf(document, 'submission_id', 'site_address', 'contractor_name'), [
    ['230069', '2101 TUMBLE WEED TRAIL', 'OWNER'],
    ['RBP-24-21', '1904 CASCADE COURT', 'OWNER'],
    ['230085', '2323 TALISKER AVENUE', null],
    ['230092', '1214 TERRY PEAK LANE', 'ENGLISH SIDING']
  ])
})

t.test('a head in two lines and cells that go on in a second line', async t => {
  const head: Row[] = [
    [
      ['Permit', 50],
      ['Applicant', 130],
      ['Site', 225],
      ['Type of', 320],
      ['Parcel', 420],
      ['Project', 510]
    ],
    [
      ['Number', 50],
      ['Name', 130],
      ['Address', 225],
      ['Permit', 320],
      ['Number', 420],
      ['Value', 510]
    ]
  ]
  const document = await readReport([
    TITLE,
    ...head,
    [
      ['24-0339', 50],
      ['Quarry Road', 130],
      ['1606 North Avenue', 225],
      ['Residential', 320],
      ['0412-118', 420],
      ['$9,000.00', 510]
    ],
    [
      ['Dental Group', 130],
      ['Suite 200', 225]
    ],
    [
      ['24-0340', 50],
      ['Iris Court LP', 130],
      ['4 Iris Court', 225],
      ['Commercial', 320],
      ['0412-119', 420],
      ['$12,500.00', 510]
    ]
  ])
  t.strictSame(valuesOf(document, 'submission_id', 'applicant_name', 'site_address', 'project_valuation'), [
    ['24-0339', 'Quarry Road Dental Group', '1606 North Avenue Suite 200', '9000.00'],
    ['24-0340', 'Iris Court LP', '4 Iris Court', '12500.00']
  ])
})

t.test('a filled row without a number is a record that lacks it, also the last one', async t => {
  const nameless = PERMITS.slice(0, 2).map(one => permitRow(one).slice(1))
  const total: Row = [
    ['Roof Total', 307],
    ['21,950.00', 585, 'right']
  ]
  const document = await readReport([TITLE, HEAD, ...rows.slice(0, 1), ...nameless])
  const amid = await readReport([TITLE, HEAD, ...rows.slice(0, 1), total, ...nameless, ...rows.slice(3), total])
  t.strictSame(valuesOf(amid, 'submission_id').flat(), ['24-0339', null, null, '24-0342'])
  t.strictSame(valuesOf(document, 'submission_id', 'project_valuation'), [
    ['24-0339', '21950.00'],
    [null, '21950.00'],
    [null, '580000.00']
  ])
  t.match(
    found(document)[2]?.reasons.map(reason => reason.code),
    ['FIELD_MISSING']
  )
})

t.test('cells that run into one another are not sure', async t => {
  const long = permitRow({
    ...PERMITS[0],
    number: '24-0350',
    name: 'Northern Hills Training Center of Hollow Park'
  })
  const [record] = found(await readReport([TITLE, HEAD, long, ...rows])).filter(
    ({ fields }) => fields['submission_id']?.value === '24-0350'
  )
  t.ok((record?.fields['project_valuation']?.confidence ?? 1) <= 0.5)
})

t.test('the tables of a flowing document are listings too', t => {
  const table = [
    ['Permit No.', 'Applicant', 'Address', 'Permit Type', 'Valuation'],
    ['24-0339', 'Quarry Road Dental', '1606 North Avenue', 'Roof', '$9,000.00'],
    ['24-0340', 'Iris Court LP', '4 Iris Court', 'Deck', '$12,500.00'],
    ['Total', '', '', '', '$21,500.00'].filter(text => text !== '')
  ]
  const document = flow('Permits issued in June', table)
  t.strictSame(valuesOf(document, 'submission_id', 'site_address', 'project_valuation'), [
    ['24-0339', '1606 North Avenue', '9000.00'],
    ['24-0340', '4 Iris Court', '12500.00']
  ])
  t.ok('paragraph' in (found(document)[0]?.fields['site_address']?.origin ?? {}))
  t.end()
})

t.test('blanks and what is blacked out give no value', t => {
  const table = [
    ['Permit No.', 'Applicant', 'Address', 'Permit Type', 'Valuation'],
    ['24-0339', '██████', 'N/A', 'Roof', '______'],
    ['█████', 'Iris Court LP', '4 Iris Court', 'Deck', '███']
  ]
  t.strictSame(valuesOf(flow(table), 'submission_id', 'applicant_name', 'site_address', 'project_valuation'), [
    ['24-0339', null, null, null],
    [null, 'Iris Court LP', '4 Iris Court', null]
  ])
  t.end()
})

t.test('a day before a month is told by the whole column', t => {
  const table = [
    ['Permit No.', 'Permit Type', 'Address', 'Issue Date'],
    ['24-0339', 'Roof', '1606 North Avenue', '03/04/2024'],
    ['24-0340', 'Deck', '4 Iris Court', '17/04/2024']
  ]
  t.strictSame(valuesOf(flow(table), 'issued_date').flat(), ['2024-04-03', '2024-04-17'])
  t.end()
})

t.test('an application, an invoice and a rent roll are no listings of permits', t => {
  const application = lines(
    'BUILDING PERMIT APPLICATION',
    'Permit No.: 24-0339',
    'Applicant: Ann Example',
    'Valuation: $9,000'
  )
  const invoice = flow([
    ['Item', 'Description', 'Quantity', 'Amount'],
    ['1001', 'Plan review', '1', '$90.00']
  ])
  const rentRoll = flow([
    ['Unit', 'Tenant', 'Lease Start', 'Lease End', 'Base Rent'],
    ['101', 'Ann Example', '2024-01-01', '2024-12-31', '$1,200.00']
  ])
  for (const document of [application, invoice, rentRoll]) t.equal(findListing(permit, document, CONTEXT), null)
  t.equal(findListing(lease, rentRoll, CONTEXT), null)
  t.end()
})

t.test('a page of the listing that cannot be read is told with every record', async t => {
  const document = await readReport([TITLE, HEAD, ...rows])
  const [page] = document.pages
  if (!page) return
  const scanned = { ...page, number: 2, lines: [], hasUsableText: false, imageShare: 1 }
  const records = found({ ...document, pages: [page, scanned] })
  t.equal(records.length, rows.length)
  for (const { reasons } of records)
    t.ok(reasons.some(reason => reason.code === 'PAGE_ILLEGIBLE' && reason.severity === 'block'))
})

t.test('ten times the rows take about ten times as long', t => {
  const table = (count: number): DocumentText =>
    flow([
      ['Permit No.', 'Permit Type', 'Address', 'Valuation'],
      ...Array.from({ length: count }, (_, at) => [`24-${at + 1000}`, 'Roof', `${at} North Avenue`, `$${at}.00`])
    ])
  const timed = (count: number): number => {
    const document = table(count)
    const begun = process.cpuUsage()
    t.equal(found(document).length, count)
    return process.cpuUsage(begun).user
  }
  timed(500)
  t.match(
    found(table(20_001)),
    [{ reasons: [{ code: 'PAGE_LIMIT', severity: 'block' }] }],
    'far too many are held as one'
  )
  const [short, long] = [timed(500), timed(5000)]
  t.ok(long < 40 * Math.max(short, 1000), `${short} and ${long} microseconds`)
  t.end()
})
