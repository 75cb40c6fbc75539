import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, lines, paged, pageOf } from '../find/documents.ts'

const HEAD = declaration({ 'Effective Date': null, 'Expiration Date': null })

function datesOf(document: DocumentText): unknown[] {
  const { fields } = findFields(policy, document, CONTEXT)
  return [fields['effective_date']?.value ?? null, fields['expiration_date']?.value ?? null]
}

test('a term is read behind the words carriers have for it', async t => {
  for (const text of [
    'Term of Insurance 13-MAR-2024 to 13-MAR-2025, beginning and ending at 12:01 A.M.',
    'Duration of Coverage: 03/13/2024 to 03/13/2025',
    'Period of the Policy: 03/13/2024 - 03/13/2025',
    'Dates: March 13, 2024 - March 13, 2025',
    'The term of this policy begins at 12:01 a.m. on March 13, 2024 and ends at 12:01 a.m. on March 13, 2025.',
    'Coverage begins at 12:01 A.M. standard time on March 13, 2024 and ends at 12:01 A.M. on March 13, 2025.'
  ]) {
    t.same(datesOf(lines('POLICY DECLARATIONS', ...HEAD, text)), ['2024-03-13', '2025-03-13'], text)
  }
})

test('Expiring before a date ends a term, and before a policy names another one', async t => {
  t.same(datesOf(lines('POLICY DECLARATIONS', ...HEAD, 'Effective: 2024-03-13', 'Expiring: 2025-03-13')), [
    '2024-03-13',
    '2025-03-13'
  ])
  const document = lines('POLICY DECLARATIONS', ...declaration({ 'Policy Number': null }), 'Expiring Policy: HX-55012')
  t.equal(findFields(policy, document, CONTEXT).fields['policy_number']?.value ?? null, null)
})

const PREMIUMLESS = declaration({ 'Total Premium': null })

test('the total of a coverage part is shown and held: a package costs more', async t => {
  for (const text of [
    'TOTAL PREMIUM FOR THIS COVERAGE PART $2,640.41',
    'Total annual premium for this coverage part: $2,640.41'
  ]) {
    const candidate = findFields(policy, lines('COMMERCIAL PROPERTY DECLARATIONS', ...PREMIUMLESS, text), CONTEXT)
    t.equal(candidate.fields['premium_total']?.value, '2640.41', text)
    t.equal(judge(policy, candidate, CONTEXT).state, 'quarantined', text)
  }
})

test('Premium over one amount names it, over several it heads a column', async t => {
  const below = (...amounts: readonly string[]): unknown => {
    const texts = [...PREMIUMLESS, 'Premium', ...amounts]
    const placed = texts.map((text, at) => ({ x: 0.1, y: 0.05 + at * 0.015, text }))
    return findFields(policy, paged(pageOf(placed)), CONTEXT).fields['premium_total']?.value ?? null
  }
  t.equal(below('$1,284.00'), '1284.00')
  t.equal(below('$1,284.00', '$312.00'), null)
})
