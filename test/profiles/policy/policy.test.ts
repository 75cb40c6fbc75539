import { test } from 'tap'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { POLICY_RULES } from '../../../src/profiles/policy/policy-rules.ts'
import { CONTEXT, declaration, lines, paged, pageOf } from '../find/documents.ts'

const find = (...texts: readonly string[]) => findFields(policy, lines(...texts), CONTEXT).fields

test('periods are read however they are written', async t => {
  const periods: readonly [string, string, string][] = [
    ['Policy Period: FROM 02/20/2026 TO 02/20/2027 AT 12:01 AM STANDARD TIME', '2026-02-20', '2027-02-20'],
    ['Policy Period: Oct 22, 2021 - Apr 22, 2022', '2021-10-22', '2022-04-22'],
    ['Coverage Period: 05-18-22 through 11-18-22', '2022-05-18', '2022-11-18'],
    ['Policy Period: 03/15/2021 at 12:01 a.m. ET to 09/14/2021 at 11:59 p.m. ET', '2021-03-15', '2021-09-14'],
    ['Policy Term 31.12.2023 to 31.12.2024', '2023-12-31', '2024-12-31']
  ]
  for (const [text, start, end] of periods) {
    const fields = find(
      'POLICY DECLARATIONS',
      ...declaration({ 'Effective Date': null, 'Expiration Date': null }),
      text
    )
    t.equal(fields['effective_date']?.value, start, text)
    t.equal(fields['expiration_date']?.value, end, text)
  }
})

test('a period on the lines below its label, the second date broken over two lines', async t => {
  const document = paged(
    pageOf([
      ...declaration({ 'Effective Date': null, 'Expiration Date': null }).map((text, at) => ({
        x: 0.1,
        y: 0.05 + at * 0.02,
        text
      })),
      { x: 0.6, y: 0.3, text: 'Policy period' },
      { x: 0.6, y: 0.316, text: 'Beginning June 30, 2021 through June' },
      { x: 0.6, y: 0.332, text: '30, 2022 at 12:01 a.m. standard time' }
    ])
  )
  const { fields } = findFields(policy, document, CONTEXT)
  t.equal(fields['effective_date']?.value, '2021-06-30')
  t.equal(fields['expiration_date']?.value, '2022-06-30')
})

test('sentences state when cover begins and ends', async t => {
  const fields = find(
    'Auto insurance policy declarations',
    ...declaration({ 'Effective Date': null, 'Expiration Date': null }),
    'Your coverage begins on October 22, 2021 at 11:28am CDT. It expires on April 22, 2022 at 12:01am CDT.'
  )
  t.equal(fields['effective_date']?.value, '2021-10-22')
  t.equal(fields['expiration_date']?.value, '2022-04-22')
})

test('of two expirations the one that closes the term is the policy’s', async t => {
  const fields = find(...declaration(), 'Expiration Date: 2026-09-08')
  t.equal(fields['expiration_date']?.value, '2025-02-01')
})

const column = (rows: readonly (readonly [string, string])[]) =>
  paged(
    pageOf([
      ...declaration({ 'Total Premium': null }).map((text, at) => ({ x: 0.1, y: 0.05 + at * 0.02, text })),
      ...rows.flatMap(([label, amount], at) => [
        { x: 0.1, y: 0.4 + at * 0.02, text: label },
        { x: 0.9 - amount.length * 0.009, y: 0.4 + at * 0.02, text: amount }
      ])
    ])
  )

test('the total is the one its parts add up to', async t => {
  const { fields } = findFields(
    policy,
    column([
      ['Total Full Term Premium', '$ 623.00'],
      ['Motor Veh Law Enfmt', '5.00'],
      ['Total Premium Due', '$ 628.00']
    ]),
    CONTEXT
  )
  t.equal(fields['premium_total']?.value, '628.00')
  t.ok(fields['premium_total']?.flags.includes('PARTS_ADD_UP'))
})

test('a total of a part, of a vehicle or of a discount is not the premium', async t => {
  for (const label of [
    'Total Premium Per Vehicle',
    'Total discount savings',
    'Additional Premium',
    'Total premium for 2010 DODGE'
  ]) {
    const { fields } = findFields(policy, column([[label, '$264.00']]), CONTEXT)
    t.equal(fields['premium_total']?.value ?? null, null, label)
  }
  const monthly = find(...declaration({ 'Total Premium': '$87.66 per month' }))
  t.equal(monthly['premium_total']?.value ?? null, null, 'a month is not the term')
})

test('a row with several amounts is no total', async t => {
  const { fields } = findFields(
    policy,
    paged(
      pageOf([
        ...declaration({ 'Total Premium': null }).map((text, at) => ({ x: 0.1, y: 0.05 + at * 0.02, text })),
        { x: 0.1, y: 0.4, text: 'Total Premium' },
        { x: 0.5, y: 0.4, text: '$364.88' },
        { x: 0.7, y: 0.4, text: '$361.47' }
      ])
    ),
    CONTEXT
  )
  t.equal(fields['premium_total']?.value ?? null, null)
})

test('amounts keep the currency of their document', async t => {
  t.equal(find(...declaration({ 'Total Premium': '£532.19' }))['premium_total']?.value, '532.19')
})

test('the insured is neither the carrier nor the agent', async t => {
  const carrier = find('NAMED INSURED: BRANCH INSURANCE EXCHANGE', ...declaration({ 'Named Insured': null }))
  t.equal(carrier['named_insured']?.value ?? null, null)
  const candidate = findFields(
    policy,
    lines(...declaration({ 'Named Insured': 'Test Inc' }), 'Agent: Test Inc'),
    CONTEXT
  )
  t.equal(candidate.fields['named_insured']?.value, null)
  t.ok(candidate.reasons.some(reason => reason.code === 'MULTIPLE_CANDIDATES'))
})

test('the carrier is found by its label, and in the text when it has none', async t => {
  const labelled = find(...declaration(), 'Underwritten By: Toggle Insurance Company, 3 Beaver Valley Road')
  t.equal(labelled['carrier_name']?.value, 'Toggle Insurance Company')
  const { evidence } = { evidence: find('POLICY DECLARATIONS', 'OWNERS INSURANCE COMPANY', ...declaration()) }
  t.equal(evidence['carrier_name']?.value, 'OWNERS INSURANCE COMPANY')
})

test('rules look at the whole record', async t => {
  const held = (changes: Record<string, string>) => {
    const candidate = findFields(policy, lines(...declaration(changes)), CONTEXT)
    return judge(policy, candidate, CONTEXT).reasons.map(reason => `${reason.code} ${reason.severity}`)
  }
  t.ok(held({ 'Expiration Date': '2023-02-01' }).includes('DATE_ORDER block'))
  t.ok(held({ 'Expiration Date': '2024-05-20' }).includes('TERM_UNUSUAL warn'))
  t.ok(held({ 'Expiration Date': '2031-02-01' }).includes('TERM_UNUSUAL block'))
  t.ok(held({ 'Total Premium': '-$125.00' }).includes('NEGATIVE_AMOUNT block'))
  t.same(
    POLICY_RULES.map(rule => rule.name),
    ['policy-period', 'premium-sign']
  )
})
