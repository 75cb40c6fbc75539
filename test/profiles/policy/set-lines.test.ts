import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import type { Json } from '../../../src/model/json.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, lines, paged, pageOf } from '../find/documents.ts'

const valueOf = (document: DocumentText, name: string): Json =>
  findFields(policy, document, CONTEXT).fields[name]?.value ?? null

/** A declaration that lacks the line of one label, with these lines in its place. */
const withLines = (label: string, ...texts: readonly string[]): DocumentText =>
  lines('POLICY DECLARATIONS', ...texts, ...declaration({ [label]: null }))

test('a policy number in brackets is read without them', async t => {
  for (const [text, number] of [
    ['POLICY NUMBER: (6S60UB-482536186)', '6S60UB-482536186'],
    ['Policy No.: (WC 8048 913)', 'WC 8048 913'],
    ['Your Policy Number: (482536186)', '482536186']
  ] as const) {
    t.equal(valueOf(withLines('Policy Number', text), 'policy_number'), number, text)
  }
  const noted = withLines('Policy Number', 'Policy Number (see 2024 notice): HX-55012')
  t.equal(valueOf(noted, 'policy_number'), 'HX-55012')
})

test('fields set apart with uprights or dots are read each for itself', async t => {
  t.equal(valueOf(withLines('Policy Number', '| POLICY NUMBER | Q 2763 968 |'), 'policy_number'), 'Q 2763 968')
  const line = 'Policy # HX-55012 | Effective 03/15/2024 - 03/15/2025'
  const document = lines(
    'Homeowners Declarations',
    line,
    ...declaration({ 'Policy Number': null, 'Effective Date': null, 'Expiration Date': null })
  )
  t.equal(valueOf(document, 'policy_number'), 'HX-55012')
  t.equal(valueOf(document, 'effective_date'), '2024-03-15')
  t.equal(valueOf(document, 'expiration_date'), '2025-03-15')
})

test('words between a known label and a colon make another label, not its value', async t => {
  for (const label of ['Insured Organization Contact:', 'Insured Vehicle Use:', 'Insured Credit Score:']) {
    t.equal(valueOf(withLines('Named Insured', label, 'Ilse Brenner'), 'named_insured'), null, label)
  }
  t.equal(valueOf(withLines('Named Insured', 'Insured Member:', 'Ilse Brenner'), 'named_insured'), 'Ilse Brenner')
})

const UNDERLYING: Readonly<Record<string, readonly string[]>> = {
  'under a numbered heading': [
    '5. Required Basic Policies:',
    'Auto    Policy No. A8680324',
    'Home    Policy No. H8680324',
    '6. Policy Premium: $1,284.00'
  ],
  'under a heading without a number': [
    'Required underlying insurance',
    'Policy No. A8680324',
    'Policy No. H8680324',
    'Forms and endorsements: see schedule'
  ]
}

for (const [name, rows] of Object.entries(UNDERLYING)) {
  test(`numbers of policies below an umbrella ${name} are not its own`, async t => {
    const head = declaration({ 'Total Premium': null })
    const document = lines('PERSONAL UMBRELLA DECLARATIONS', ...head, ...rows, 'Total Premium: $1,284.00')
    t.equal(valueOf(document, 'policy_number'), 'HX-700131')
    t.equal(valueOf(document, 'premium_total'), '1284.00')
  })
}

test('a section that is set in ends where the margin begins again', async t => {
  const rows = [
    [0.1, 'Underlying policies:'],
    [0.13, 'Homeowners Policy number HO863241'],
    [0.13, 'Auto Policy number PA863241'],
    [0.1, 'Annual premium: $1,284.00']
  ] as const
  const texts = declaration({ 'Total Premium': null }).map(text => [0.1, text] as const)
  const placed = [...texts, ...rows].map(([x, text], at) => ({ x, y: 0.05 + at * 0.02, text }))
  const document = paged(pageOf(placed))
  const premium = findFields(policy, document, CONTEXT).fields['premium_total']
  t.equal(premium?.value, '1284.00')
  t.ok((premium?.confidence ?? 0) > 0.9)
})

test('a number below its label is found where the words beside the label are none', async t => {
  const rows = ['Carrier', 'POLICY NUMBER', '147781661', 'Insured', 'Premium Tax', 'Total Premium']
  const values = [
    'First Meridian Assurance Corporation',
    '12:01 A.M. Local Time',
    'Form: Dwelling',
    'Ilse Brenner',
    '$20.00',
    '$1,284.00'
  ]
  const placed = rows.flatMap((text, at) => [
    { x: 0.1, y: 0.05 + at * 0.018, text },
    { x: 0.5, y: 0.05 + at * 0.018, text: values[at] ?? '' }
  ])
  t.equal(valueOf(paged(pageOf(placed)), 'policy_number'), '147781661')
})

const spaced = (...rows: readonly (readonly (readonly [x: number, text: string])[])[]): DocumentText =>
  paged(pageOf(rows.flatMap((row, at) => row.map(([x, text]) => ({ x, y: 0.05 + at * 0.016, text })))))

test('letters that open a number in a place of their own belong to it, and further off leave it unsure', async t => {
  const others = declaration({ 'Policy Number': null }).map(text => [[0.1, text] as const])
  const near = spaced(
    [
      [0.1, 'Policy Number'],
      [0.4, 'BOP'],
      [0.44, '9657 372']
    ],
    ...others
  )
  t.equal(valueOf(near, 'policy_number'), 'BOP 9657 372')
  const far = spaced(
    [
      [0.1, 'Policy Number'],
      [0.4, 'BOP'],
      [0.6, '9657 372']
    ],
    ...others
  )
  t.ok((findFields(policy, far, CONTEXT).fields['policy_number']?.confidence ?? 0) < 0.8)
})

test('a list of labels and values ends where a line without a value is no label', async t => {
  const others = declaration({ 'Total Premium': null }).map(text => [[0.1, text] as const])
  const document = spaced(
    ...others,
    [[0.5, 'Company']],
    [
      [0.1, 'Agent'],
      [0.5, 'First Meridian Assurance Corporation']
    ],
    [[0.1, 'Lindqvist & Kerr Insurance Agency']],
    [
      [0.1, 'Policy total'],
      [0.5, '$1,284.00']
    ],
    [
      [0.1, 'Policy fee'],
      [0.5, '$20.00']
    ],
    [
      [0.1, 'Total cost'],
      [0.5, '$1,304.00']
    ]
  )
  t.equal(valueOf(document, 'agency_name'), 'Lindqvist & Kerr Insurance Agency')
  t.equal(valueOf(document, 'carrier_name'), 'First Meridian Assurance Corporation')
  t.equal(valueOf(document, 'premium_total'), '1304.00')
})

test('a number that only a schedule of other policies gives is none of this policy', async t => {
  const head = declaration({ 'Policy Number': null })
  for (const heading of ['SCHEDULE OF UNDERLYING INSURANCE', 'Prior Policy', 'Required Primary Insurance']) {
    const document = lines('UMBRELLA DECLARATIONS', ...head, heading, 'Policy number HX367582')
    t.equal(valueOf(document, 'policy_number'), null, heading)
  }
})

test('below a title that says declaration, broad labels with a colon make a policy', async t => {
  const fields = [
    'Policy: HX-700131',
    'Effective: 2024-02-01',
    'Expires: 2025-02-01',
    'Total annual premium: $1,284.00'
  ]
  const codes = (title: string): string[] =>
    findFields(policy, lines(title, ...fields), CONTEXT).reasons.map(({ code }) => code)
  t.notOk(codes('Collector Vehicle Policy Declarations').includes('DOC_TYPE_UNKNOWN'))
  t.ok(codes('Collector Vehicle Overview').includes('DOC_TYPE_UNKNOWN'))
})
