import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { applyCorrections } from '../../../src/profiles/judge/apply-corrections.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, flow, lines, paged, pageOf } from '../find/documents.ts'

const HEAD = declaration({ 'Total Premium': null })

function judged(document: DocumentText): {
  state: string
  codes: string[]
  flags: readonly string[]
  confidence: number
} {
  const candidate = findFields(policy, document, CONTEXT)
  const { state, reasons } = judge(policy, candidate, CONTEXT)
  const total = candidate.fields['premium_total']
  return {
    state,
    codes: reasons.map(({ code }) => code),
    flags: total?.flags ?? [],
    confidence: total?.confidence ?? 0
  }
}

type Row = readonly [label: string, amount: string]

/** A table of two columns, amounts flush right, as declarations print them. */
const table = (rows: readonly Row[]): DocumentText =>
  paged(
    pageOf([
      ...HEAD.map((text, at) => ({ x: 0.1, y: 0.05 + at * 0.02, text })),
      ...rows.flatMap(([label, amount], at) => [
        { x: 0.1, y: 0.4 + at * 0.022, text: label },
        ...(amount === '' ? [] : [{ x: 0.9 - amount.length * 0.009, y: 0.4 + at * 0.022, text: amount }])
      ])
    ])
  )

const PARTS: readonly Row[] = [
  ['Coverage Part', 'Premium'],
  ['Commercial Property', '$ 4,125.00'],
  ['General Liability', '$ 2,873.00'],
  ['Inland Marine', '$ 461.50'],
  ['Policy Fee', '$ 150.00']
]

test('a headed column of parts must add up to its total', async t => {
  const right = judged(table([...PARTS, ['Total Premium', '$7,609.50']]))
  t.equal(right.state, 'accepted')
  t.ok(right.flags.includes('PARTS_ADD_UP'))
  const wrong = judged(table([...PARTS, ['Total Premium', '$8,509.50']]))
  t.equal(wrong.state, 'quarantined')
  t.same(wrong.codes, ['PREMIUM_SUM_MISMATCH'])
})

test('a part that is included costs nothing', async t => {
  const rows: readonly Row[] = [...PARTS, ['Terrorism', 'Included'], ['Total Premium', '$7,609.50']]
  t.equal(judged(table(rows)).state, 'accepted')
})

test('lines of premium, fees and taxes must add up to their total', async t => {
  const list = ['Deductible: $1,000.00', 'Base Premium: $1,200.00', 'Policy Fee: $84.00']
  t.equal(judged(lines(...HEAD, ...list, 'Total Premium: $1,284.00')).state, 'accepted')
  t.same(judged(lines(...HEAD, ...list, 'Total Premium: $1,384.00')).codes, ['PREMIUM_SUM_MISMATCH'])
  const rows = [
    ['Base Premium', '$1,200.00'],
    ['Policy Fee', '$84.00'],
    ['Total Premium', '$1,384.00']
  ]
  t.ok(judged(flow('POLICY DECLARATIONS', ...HEAD, rows)).codes.includes('PREMIUM_SUM_MISMATCH'), 'cells')
})

test('a list that may be partial lowers confidence and holds nothing', async t => {
  const open: readonly Row[] = [
    ['Commercial Property', '$ 4,125.00'],
    ['General Liability', '$ 2,873.00']
  ]
  const rest: Row = ['Total Premium', '$7,609.50']
  const alone = judged(table([rest]))
  const withoutHeading = judged(table([...open, rest]))
  t.notOk(withoutHeading.codes.includes('PREMIUM_SUM_MISMATCH'))
  t.equal(withoutHeading.confidence, alone.confidence, 'rows of other kinds say nothing')
  const withTotals = judged(table([['Coverage Part', 'Premium'], ...open, ['Total Liability', '$ 100.00'], rest]))
  t.notOk(withTotals.codes.includes('PREMIUM_SUM_MISMATCH'))
  t.ok(withTotals.flags.includes('PARTS_DO_NOT_ADD_UP'))
  t.ok(withTotals.confidence < alone.confidence)
})

test('a cent of rounding for each part is forgiven', async t => {
  t.equal(judged(table([...PARTS, ['Total Premium', '$7,609.52']])).state, 'accepted')
  t.equal(judged(table([...PARTS, ['Total Premium', '$7,609.56']])).state, 'quarantined')
})

test('a total in words must be the one in digits', async t => {
  t.ok(
    judged(lines(...HEAD, 'Total Premium: One Thousand Dollars ($1,200.00)')).codes.includes('WORDS_DIGITS_MISMATCH')
  )
})

test('a period in the wrong order is held as such', async t => {
  const dated = declaration({ 'Effective Date': null, 'Expiration Date': null })
  t.same(judged(lines(...dated, 'Policy Period: 02/15/2025 to 02/15/2024')).codes, ['DATE_ORDER'])
})

test('limits beside premiums are not added up', async t => {
  const limits: readonly Row[] = [
    ['Coverage', 'Limit    Premium'],
    ['Dwelling', '$250,000    $800.00'],
    ['Other Structures', '$25,000    $84.00']
  ]
  const right = judged(table([...limits, ['Total Premium', '$884.00']]))
  t.equal(right.state, 'accepted')
  t.ok(right.flags.includes('PARTS_ADD_UP'))
  t.notOk(judged(table([...limits, ['Total Premium', '$884.00']])).codes.includes('PREMIUM_SUM_MISMATCH'))
})

test('a total that includes fees is more than parts without any', async t => {
  const list = ['Liability Premium: $1,200.00', 'Property Premium: $84.00']
  const total = judged(lines(...HEAD, ...list, 'Total Premium and Fees: $1,384.00'))
  t.notOk(total.codes.includes('PREMIUM_SUM_MISMATCH'))
  t.ok(judged(lines(...HEAD, ...list, 'Total Premium: $1,384.00')).codes.includes('PREMIUM_SUM_MISMATCH'))
})

test('a corrected total is held against its parts', async t => {
  const list = ['Base Premium: $1,200.00', 'Policy Fee: $84.00', 'Total Premium: $1,384.00']
  const found = findFields(policy, lines(...HEAD, ...list), CONTEXT)
  const held = { ...found, reasons: judge(policy, found, CONTEXT).reasons }
  const judgedWith = (from: typeof held, corrections: Record<string, string | null>) => {
    const corrected = applyCorrections(policy, from, corrections, CONTEXT)
    const { state, reasons } = judge(policy, corrected, CONTEXT)
    return { state, codes: reasons.map(({ code }) => code), candidate: { ...corrected, reasons } }
  }
  t.equal(judgedWith(held, { premium_total: '1284.00' }).state, 'accepted', 'what the parts make')
  const again = judgedWith(held, { premium_total: '1400.00' })
  t.same(again.codes, ['PREMIUM_SUM_MISMATCH'], 'another amount that they do not make')
  t.same(judgedWith(held, { premium_total: '1384.00' }).codes, ['PREMIUM_SUM_MISMATCH'], 'the printed one once more')
  t.same(judgedWith(held, { named_insured: 'Orchard Way Clinic' }).codes, ['PREMIUM_SUM_MISMATCH'], 'another field')
  t.same(
    judgedWith(again.candidate, { premium_total: '1384.00' }).codes,
    ['PREMIUM_SUM_MISMATCH'],
    'a second correction'
  )
  t.equal(
    judgedWith(again.candidate, { premium_total: '1284.00' }).state,
    'accepted',
    'a second correction that is right'
  )
  const all = {
    policy_number: 'HX-700131',
    named_insured: 'Orchard Way Clinic',
    effective_date: '2024-07-01',
    expiration_date: '2025-07-01',
    premium_total: '1384.00'
  }
  t.equal(judgedWith(held, all).state, 'accepted', 'a person who entered everything that is required has decided')
})
