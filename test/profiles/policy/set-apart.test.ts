import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, flow, lines, type Placed, paged, pageOf } from '../find/documents.ts'

function valuesOf(document: DocumentText, ...names: string[]): unknown[] {
  const { fields } = findFields(policy, document, CONTEXT)
  return names.map(name => fields[name]?.value ?? null)
}

const DATES = ['effective_date', 'expiration_date'] as const
const ALL = ['policy_number', 'named_insured', ...DATES, 'premium_total'] as const

/** Rows of a page, each a list of columns. */
const rowsOf = (...rows: readonly (readonly (readonly [x: number, text: string])[])[]): DocumentText =>
  paged(pageOf(rows.flatMap((row, at) => row.map<Placed>(([x, text]) => ({ x, y: 0.05 + at * 0.02, text })))))

test('American papers put the month first, where nothing in them says otherwise', async t => {
  const dated = declaration({ 'Effective Date': '03/04/2024', 'Expiration Date': '03/04/2025' })
  const read = (...more: string[]) =>
    findFields(policy, lines('POLICY DECLARATIONS', ...dated, ...more), CONTEXT).fields
  const american = read('Mailing Address: 12 Juniper Street, Lakemont, OH 44107')
  t.equal(american['effective_date']?.value, '2024-03-04', 'a state and its code')
  t.match(american['effective_date']?.flags, ['DATE_ORDER_FROM_PLACE'], 'which is told')
  const terms = read('12:01 A.M. Standard Time at the residence premises')
  t.equal(terms['effective_date']?.value, '2024-03-04', 'the hour of American terms')
  t.equal(read()['effective_date']?.value, null, 'no sign of any country')
  for (const sign of [
    'Registered in England, London EC3M 7DD',
    'Toronto M5H 2N2',
    'Issued 4 March 2024',
    'Excess £250'
  ]) {
    const { effective_date: date } = read('Broker: 12 Juniper Street, Lakemont, OH 44107', sign)
    t.not(date?.flags.includes('DATE_ORDER_FROM_PLACE'), true, sign)
  }
  const shown = read('Broker: 12 Juniper Street, Lakemont, OH 44107', 'Date Issued: 25/02/2024')
  t.equal(shown['effective_date']?.value, '2024-04-03', 'what the paper shows itself goes before')
})

test('boxes with their captions under the values', async t => {
  const boxes = rowsOf(
    [[0.1, 'PERSONAL LINES POLICY DECLARATIONS']],
    [
      [0.1, 'HX-700131'],
      [0.4, '03/14/2024'],
      [0.7, '03/14/2025']
    ],
    [
      [0.1, 'POLICY NUMBER'],
      [0.4, 'EFFECTIVE DATE'],
      [0.7, 'EXPIRATION DATE']
    ],
    [],
    [
      [0.1, 'Pacific Reflections LLC'],
      [0.6, '$1,284.00']
    ],
    [
      [0.1, 'NAMED INSURED'],
      [0.6, 'TOTAL PREMIUM']
    ]
  )
  t.same(valuesOf(boxes, ...ALL), ['HX-700131', 'Pacific Reflections LLC', '2024-03-14', '2025-03-14', '1284.00'])
  const blank = rowsOf(
    [[0.1, 'POLICY DECLARATIONS']],
    [
      [0.1, 'POLICY NUMBER'],
      [0.4, 'EFFECTIVE DATE'],
      [0.7, 'EXPIRATION DATE']
    ],
    [
      [0.1, 'HX-700131'],
      [0.4, '03/14/2024'],
      [0.7, '03/14/2025']
    ],
    [
      [0.1, 'PRODUCER'],
      [0.4, 'TOTAL PREMIUM']
    ],
    [
      [0.1, 'Orchard Way Agency'],
      [0.4, '$1,284.00']
    ],
    [[0.1, 'NAMED INSURED']]
  )
  t.same(valuesOf(blank, ...ALL), ['HX-700131', null, '2024-03-14', '2025-03-14', '1284.00'], 'a blank takes nothing')
})

test('labels broken over two lines, and labels that stand below one another', async t => {
  const grid = rowsOf(
    [[0.1, 'BUSINESS POLICY DECLARATIONS']],
    [
      [0.1, 'Policy'],
      [0.3, 'Policy effective'],
      [0.55, 'Policy expiration'],
      [0.8, 'Total annual']
    ],
    [
      [0.1, 'number'],
      [0.3, 'date'],
      [0.55, 'date'],
      [0.8, 'premium']
    ],
    [
      [0.1, 'HX-700131'],
      [0.3, '03/14/2024'],
      [0.55, '03/14/2025'],
      [0.8, '$1,284.00']
    ],
    [[0.1, 'Named Insured: Pacific Reflections LLC']]
  )
  t.same(valuesOf(grid, ...ALL), ['HX-700131', 'Pacific Reflections LLC', '2024-03-14', '2025-03-14', '1284.00'])
  const list = rowsOf(
    [[0.1, 'POLICY DECLARATIONS']],
    [
      [0.1, 'Policy'],
      [0.4, 'HX-700131']
    ],
    [
      [0.1, 'Term'],
      [0.4, '03/14/2024 - 03/14/2025']
    ],
    [
      [0.1, 'Insured(s)'],
      [0.4, 'Pacific Reflections LLC']
    ],
    [
      [0.1, 'Address'],
      [0.4, '12 Juniper Street, Lakemont, OH 44107']
    ],
    [
      [0.1, 'Total Premium'],
      [0.4, '$1,284.00']
    ]
  )
  t.same(valuesOf(list, ...ALL), ['HX-700131', 'Pacific Reflections LLC', '2024-03-14', '2025-03-14', '1284.00'])
})

const HEAD = declaration({ 'Effective Date': null, 'Expiration Date': null })

test('the two dates of a term may stand apart', async t => {
  const head = HEAD.map<readonly (readonly [number, string])[]>(text => [[0.1, text]])
  for (const rows of [
    [
      [
        [0.1, 'Policy Period: Beginning 05/20/2024'],
        [0.6, 'Ending 05/20/2025']
      ]
    ],
    [
      [[0.1, 'Policy Period']],
      [
        [0.1, 'From'],
        [0.2, '05/20/2024'],
        [0.4, 'To'],
        [0.5, '05/20/2025'],
        [0.7, 'at 12:01 AM']
      ]
    ],
    [[[0.1, 'Effective/Expiration']], [[0.1, '05/20/2024 to 05/20/2025']]],
    [
      [
        [0.1, 'Effective:'],
        [0.4, 'To:']
      ],
      [
        [0.1, '05/20/2024'],
        [0.4, '05/20/2025']
      ]
    ]
  ] as const) {
    t.same(valuesOf(rowsOf([[0.1, 'POLICY DECLARATIONS']], ...head, ...rows), ...DATES), ['2024-05-20', '2025-05-20'])
  }
  const other = [
    [
      [0.1, 'Policy Period'],
      [0.5, 'Issued 05/20/2024']
    ],
    [[0.1, '05/20/2025']]
  ] as const
  t.same(valuesOf(rowsOf([[0.1, 'POLICY DECLARATIONS']], ...head, ...other), ...DATES), [null, null], 'a day of issue')
})

test('the inception of the first term is not where this one begins', async t => {
  const term = ['Policy Period: 10/14/2023 - 04/14/2024', 'Policy Inception: 04/14/2023']
  t.same(valuesOf(lines('POLICY DECLARATIONS', ...HEAD, ...term), ...DATES), ['2023-10-14', '2024-04-14'])
})

test('a certificate is numbered like a policy where nothing else is', async t => {
  const numberless = declaration({ 'Policy Number': null })
  const alone = lines('EVIDENCE OF INSURANCE', ...numberless, 'Certificate Number: PF-440981')
  t.same(valuesOf(alone, 'policy_number'), ['PF-440981'])
  const beside = lines('EVIDENCE OF INSURANCE', ...numberless, 'Certificate Number: PF-440981', 'Policy Number:')
  t.same(valuesOf(beside, 'policy_number'), [null], 'beside a blank for the number of the policy')
})

const PREMIUMLESS = declaration({ 'Total Premium': null })

test('a premium by one name, in every row, before its change', async t => {
  const premium = (...texts: string[]) =>
    valuesOf(lines('POLICY DECLARATIONS', ...PREMIUMLESS, ...texts), 'premium_total')
  const sole = findFields(policy, lines('RENEWAL CERTIFICATE', ...PREMIUMLESS, 'Renewal premium $1,366.45'), CONTEXT)
  t.equal(judge(policy, sole, CONTEXT).state, 'accepted')
  t.same(premium('Previous Premium: $900.00', 'Revised Premium: $1,366.45'), ['1366.45'])
  const deposit = findFields(policy, lines('POLICY DECLARATIONS', ...PREMIUMLESS, 'Deposit Premium: $300.00'), CONTEXT)
  t.equal(judge(policy, deposit, CONTEXT).state, 'quarantined', 'a deposit is never told to be the whole')
})

test('columns of plain text on wide paper stay columns', async t => {
  const pad = (...columns: readonly (readonly [at: number, text: string])[]): string =>
    columns.reduce((text, [at, column]) => text.padEnd(at) + column, '')
  const wide = flow(
    'POLICY DECLARATIONS',
    pad([0, 'Policy Number'], [40, 'Policy Eff'], [56, 'Policy Exp'], [72, 'Named Insured']),
    pad(
      [0, 'HX-700131'],
      [40, '03/14/2024'],
      [56, '03/14/2025'],
      [72, 'Pacific Reflections LLC'],
      [105, 'each occurrence $1,000,000']
    ),
    'Total Premium: $1,284.00'
  )
  t.same(valuesOf(wide, ...ALL), ['HX-700131', 'Pacific Reflections LLC', '2024-03-14', '2025-03-14', '1284.00'])
})

test('what a paper calls itself tells whether it states a policy', async t => {
  const stateOf = (...head: string[]) => {
    const document = lines(...head, ...declaration())
    return judge(policy, findFields(policy, document, CONTEXT), CONTEXT).state
  }
  t.equal(stateOf('Policy Cancellation / Rewrite Request'), 'quarantined')
  t.equal(stateOf('Policy Change Request', 'about your insurance policy'), 'quarantined', 'whatever policy it names')
  t.equal(stateOf('Renewal Declarations and Premium Notice'), 'accepted', 'declarations that are a bill as well')
  t.equal(stateOf('Premium Notice'), 'quarantined', 'a bill alone')
  t.equal(stateOf('FARM PACKAGE POLICY'), 'accepted')
})

test('words behind a total that tell what it holds leave it the total', async t => {
  for (const text of [
    'Total Premium: $1,366.45 (excluding taxes and fees of $84.00)',
    'Total Premium: $1,366.45 including fees of $84.00'
  ]) {
    t.same(valuesOf(lines('POLICY DECLARATIONS', ...PREMIUMLESS, text), 'premium_total'), ['1366.45'], text)
  }
})
