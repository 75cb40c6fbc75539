import { test } from 'tap'
import type { DocumentText } from '../../../../src/model/document-text.ts'
import { findFields } from '../../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../../src/profiles/judge/judge.ts'
import { lease } from '../../../../src/profiles/lease/lease.ts'
import { policy } from '../../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, flow, lines } from '../documents.ts'

const POLICY = [
  'COMMERCIAL PACKAGE DECLARATIONS',
  ...declaration({ 'Total Premium': null }),
  'Policy Period: 02/01/2024 to 02/01/2025',
  'Base Premium: $1,200.00',
  'Policy Fee: $84.00',
  'Total Premium: One Thousand Two Hundred Eighty-Four Dollars ($1,284.00)'
]
const LEASE = [
  'LEASE AGREEMENT',
  'THIS LEASE is made as of May 20, 2024 by and between Iris Court LP ("Landlord") and Saltmarsh Outfitters Co. ("Tenant").',
  'The premises are located at 4 Iris Court, Suite 2, Port Ashby, WA 98402 (the "Premises").',
  'The term of this Lease shall be sixty (60) months, commencing on July 1, 2024 and expiring on June 30, 2029.',
  'The annual base rent is $100,800.00, payable in equal monthly installments of Eight Thousand Four Hundred and 00/100 Dollars ($8,400.00).',
  'Security Deposit: $16,800.00'
]
/** What values turn into when files are damaged, filled in wrongly or made to annoy. */
const JUNK = [
  '',
  '-',
  '(',
  '$0.00',
  '-$5.00',
  '($1,234.50)',
  '0/100',
  '\ufffd',
  'Dollars',
  '99999999999',
  '12/31/9999',
  '00/00/0000',
  '1.234,56',
  '$1.2.3',
  'zero',
  'zero (0) months',
  'February 30, 2024',
  'month',
  '________',
  '١٢٣',
  '😀',
  '\u0000',
  'Tenant:',
  'Total Premium',
  '0 months',
  '9999 years',
  'December 31, 0001',
  'x'.repeat(300),
  '(999)',
  '–',
  '; ;'
]
const RUNS = 250

/** Numbers from 0 up to 1 that follow from the seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function mutated(texts: readonly string[], random: () => number): string[] {
  return texts.map(text => {
    const words = text.split(' ')
    const count = Math.floor(random() * 3)
    for (let turn = 0; turn < count; turn += 1) {
      words[Math.floor(random() * words.length)] = JUNK[Math.floor(random() * JUNK.length)] ?? ''
    }
    return words.join(' ')
  })
}

test('damaged documents never end in a fault, and what is accepted contradicts nothing it was read from', async t => {
  const seed = 20260115
  t.comment(`seed ${seed}`)
  const random = randomFrom(seed)
  const layouts: readonly ((...texts: readonly string[]) => DocumentText)[] = [lines, flow]
  let accepted = 0
  for (let run = 0; run < RUNS; run += 1) {
    const profile = random() < 0.5 ? policy : lease
    const texts = mutated(profile === policy ? POLICY : LEASE, random)
    const layout = layouts[run % layouts.length] ?? lines
    const candidate = findFields(profile, layout(...texts), CONTEXT)
    const { state, values } = judge(profile, candidate, CONTEXT)
    if (state !== 'accepted') continue
    accepted += 1
    const rent = values['base_rent'] ?? values['premium_total']
    if (rent !== '8400.00' && rent !== '1284.00') t.fail(`run ${run}: ${texts.join(' | ')}`)
  }
  t.ok(accepted > 0 && accepted < RUNS, `${accepted} of ${RUNS} accepted`)
})
