import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, flow, paged, pageOf } from '../find/documents.ts'

const HEAD = declaration({ 'Total Premium': null })

type Row = readonly [label: string, amount: string]

/** Labels at the margin, or further in, and amounts in a column of their own. */
const table = (rows: readonly Row[], labelsAt = 0.1, amountsAt = 0.6): DocumentText =>
  paged(
    pageOf([
      ...HEAD.map((text, at) => ({ x: 0.1, y: 0.05 + at * 0.02, text })),
      ...rows.flatMap(([label, amount], at) => [
        { x: labelsAt, y: 0.4 + at * 0.022, text: label },
        { x: amountsAt, y: 0.4 + at * 0.022, text: amount }
      ])
    ])
  )

function outcome(document: DocumentText): { state: string; total: unknown } {
  const candidate = findFields(policy, document, CONTEXT)
  return {
    state: judge(policy, candidate, CONTEXT).state,
    total: candidate.fields['premium_total']?.value ?? null
  }
}

const CHARGED: Readonly<Record<string, readonly Row[]>> = {
  'taxes and a fee': [
    ['Total Policy Premium', '$1,966.97'],
    ['Policy Fee', '$70.30'],
    ['Surplus Lines Tax', '$44.00'],
    ['TOTAL', '$2,081.27']
  ],
  'one line of surcharges': [
    ['Total annual premium', '$1,944.56'],
    ['Taxes and surcharges', '$46.34'],
    ['Total', '$1,990.90']
  ],
  'an assessment, its total named by what it costs': [
    ['Annual Premium', '$812.00'],
    ['Fire Marshal Assessment', '$8.12'],
    ['Total Cost', '$820.12']
  ],
  'what is least kept of it printed among them': [
    ['DEPOSIT PREMIUM', '$2,065.91'],
    ['MINIMUM EARNED PREMIUM', '$516.48'],
    ['INSPECTION FEE (fully earned)', '$75.00'],
    ['STATE TAX', '$63.14'],
    ['TOTAL AMOUNT DUE', '$2,204.05']
  ],
  'a fee, in words no list of labels has': [
    ['Sum of location premiums', '$4,774.52'],
    ['Inspection fee', '$50.00'],
    ['Total due at binding', '$4,824.52']
  ],
  'a credit on the way': [
    ['Total Premium', '$1,000.00'],
    ['Loyalty credit', '-$50.00'],
    ['Policy fee', '$25.00'],
    ['Total', '$975.00']
  ]
}

for (const [name, rows] of Object.entries(CHARGED)) {
  test(`a premium with ${name} on top costs what the later total says`, async t => {
    const [, last = ''] = rows.at(-1) ?? []
    const expected = { state: 'accepted', total: last.replace(/[$,]/g, '') }
    t.same(outcome(table(rows)), expected)
    t.same(outcome(table(rows, 0.4, 0.7)), expected)
    t.same(outcome(flow(...HEAD, rows)), expected)
  })
}

test('a later total of which the premium and its charges are not the parts is not taken for it', async t => {
  const rows: readonly Row[] = [
    ['Total Policy Premium', '$1,966.97'],
    ['Policy Fee', '$70.30'],
    ['TOTAL', '$2,131.27']
  ]
  t.equal(outcome(table(rows)).total, '1966.97')
})

test('what a payment plan adds is no part of what a policy costs', async t => {
  const rows: readonly Row[] = [
    ['Total Policy Premium', '$1,000.00'],
    ['Installment fees', '$20.00'],
    ['Total with installment fees', '$1,020.00']
  ]
  t.not(outcome(table(rows)).total, '1020.00')
})

const AMENDED: readonly (readonly Row[])[] = [
  [
    ['Coverage A', '$1,739.64'],
    ['Coverage C', '$745.57'],
    ['Coverage E', '$276.13'],
    ['PRIOR ANNUAL PREMIUM', '$247.28'],
    ['CHANGE IN PREMIUM', '$29.77'],
    ['REVISED TOTAL ANNUAL PREMIUM', '$2,761.34']
  ],
  [
    ['Property premium', '$900.00'],
    ['Liability premium', '$300.00'],
    ['Previous total premium', '$1,150.00'],
    ['Total Policy Premium', '$1,200.00']
  ]
]

test('what the premium was before a change, and the change, are no parts of the amended total', async t => {
  for (const rows of AMENDED) {
    const [, last = ''] = rows.at(-1) ?? []
    t.same(outcome(table(rows)), { state: 'accepted', total: last.replace(/[$,]/g, '') })
  }
})
