import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, flow, lines, paged, pageOf } from './documents.ts'

const WANTED = {
  policy_number: 'HX-700131',
  named_insured: 'Pacific Reflections LLC',
  effective_date: '2024-02-01',
  expiration_date: '2025-02-01',
  premium_total: '1284.00'
}

const LABELS = ['Policy Number', 'Named Insured', 'Effective Date', 'Expiration Date', 'Total Premium']
const VALUES = ['HX-700131', 'Pacific Reflections LLC', '2024-02-01', '2025-02-01', '$1,284.00']
const COLUMNS = [0.03, 0.2, 0.42, 0.6, 0.8]

const layouts: Readonly<Record<string, DocumentText>> = {
  'label and value in one line': lines(...declaration()),
  'value right of its label': paged(
    pageOf(
      LABELS.flatMap((label, at) => [
        { x: 0.1, y: 0.1 + at * 0.03, text: `${label}:` },
        { x: 0.6, y: 0.1 + at * 0.03, text: VALUES[at] ?? '' }
      ])
    )
  ),
  'value below its label': paged(
    pageOf(
      LABELS.flatMap((label, at) => [
        { x: 0.1, y: 0.1 + at * 0.08, text: label },
        { x: 0.1, y: 0.12 + at * 0.08, text: VALUES[at] ?? '' }
      ])
    )
  ),
  'header row and value row': paged(
    pageOf([
      ...LABELS.map((text, at) => ({ x: COLUMNS[at] ?? 0, y: 0.1, text })),
      ...VALUES.map((text, at) => ({ x: COLUMNS[at] ?? 0, y: 0.12, text }))
    ])
  ),
  'values of form fields': paged(
    pageOf(
      LABELS.flatMap((label, at) => [
        { x: 0.1, y: 0.1 + at * 0.03, text: `${label}:` },
        { x: 0.4, y: 0.1 + at * 0.03, text: VALUES[at] ?? '', source: 'form' as const }
      ])
    )
  ),
  'number in the running header only': paged(
    ...[1, 2, 3].map(number =>
      pageOf(
        [
          { x: 0.1, y: 0.02, text: `Policy Number: HX-700131 Page ${number} of 3` },
          ...(number === 1
            ? declaration({ 'Policy Number': null }).map((text, at) => ({ x: 0.1, y: 0.1 + at * 0.02, text }))
            : [{ x: 0.1, y: 0.1, text: 'Claims must be reported promptly.' }])
        ],
        number
      )
    )
  ),
  'table of a flowing document': flow('Policy declarations', [LABELS, VALUES]),
  'two columns of a flowing document': flow(
    'Policy declarations',
    LABELS.map((label, at) => [label, VALUES[at] ?? ''])
  )
}

for (const [name, document] of Object.entries(layouts)) {
  test(`finds a policy laid out as: ${name}`, async t => {
    const candidate = findFields(policy, document, CONTEXT)
    const values = Object.fromEntries(Object.keys(WANTED).map(field => [field, candidate.fields[field]?.value]))
    t.same(values, WANTED)
    for (const field of Object.keys(WANTED)) t.ok(candidate.fields[field]?.origin, `${field} has its place`)
    t.equal(judge(policy, candidate, CONTEXT).state, 'accepted')
  })
}

test('the place of a value covers the value and not its label', async t => {
  const { fields } = findFields(policy, lines(...declaration()), CONTEXT)
  const origin = fields['policy_number']?.origin
  t.ok(origin && 'bbox' in origin)
  if (origin && 'bbox' in origin) {
    t.equal(origin.page, 1)
    t.ok(origin.bbox[0] > 0.22, 'it begins after the label')
    t.ok(origin.bbox[2] < 0.33)
  }
})

test('the place of a value in a flowing document is its paragraph', async t => {
  const { fields } = findFields(policy, flow(...declaration()), CONTEXT)
  t.same(fields['premium_total']?.origin, { paragraph: 5 })
})

test('a value does not slide into the column beside an empty one', async t => {
  const document = flow('Landlord: Cobalt Yard LLC', 'Tenant: Signe Marchetti', 'Premises: 8 Foundry Lane', [
    ['Commencement Date', 'Expiration Date', 'Monthly Rent', 'Late Fee'],
    ['2024-08-01', '2025-07-31', '', '$75.00']
  ])
  const { fields } = findFields(lease, document, CONTEXT)
  t.not(fields['base_rent']?.value, '75.00')
  t.equal(fields['lease_end']?.value, '2025-07-31')
})

test('values written over blanks are read in their lines', async t => {
  const document = paged(
    pageOf([
      { x: 0.1, y: 0.1, text: 'RESIDENTIAL LEASE AGREEMENT' },
      { x: 0.1, y: 0.14, text: 'Landlord: ____________________ with a mailing address of' },
      { x: 0.22, y: 0.139, text: 'Christina Wright', source: 'form' },
      { x: 0.1, y: 0.18, text: 'Tenant: ____________________' },
      { x: 0.2, y: 0.179, text: 'Justin Cole', source: 'form' },
      { x: 0.1, y: 0.22, text: 'The Premises are let and rent is due monthly.' }
    ])
  )
  const { fields } = findFields(lease, document, CONTEXT)
  t.equal(fields['landlord_name']?.value, 'Christina Wright')
  t.equal(fields['tenant_name']?.value, 'Justin Cole')
})
