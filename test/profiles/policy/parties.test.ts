import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import type { Envelope } from '../../../src/model/envelope.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, lines } from '../find/documents.ts'

const fieldOf = (document: DocumentText, name: string): Envelope | undefined =>
  findFields(policy, document, CONTEXT).fields[name]

const withInsured = (...texts: readonly string[]): DocumentText =>
  lines('HOMEOWNERS DECLARATIONS', ...texts, ...declaration({ 'Named Insured': null }))

test('a name right behind a lone label is sure where an address below it or its form shows a field', async t => {
  for (const texts of [
    ['Insured Ilse Brenner', '4 Iris Court', 'Lakemont, OH 44107'],
    ['INSURED ALDER COURT BAKERY LLC'],
    ['Insured Alder Court Holdings, Inc.'],
    ['Insured Ilse Brenner', 'Mailing Address 4 Iris Court, Lakemont, OH 44107']
  ]) {
    const insured = fieldOf(withInsured(...texts), 'named_insured')
    t.equal(insured?.value, texts[0]?.slice('Insured '.length))
    t.ok((insured?.confidence ?? 0) > 0.9, texts.join(' '))
  }
})

test('words behind a lone label without such a sign stay unsure', async t => {
  for (const text of ['Insured Coverage Highlights', 'Insured Brenner Iris']) {
    const document = withInsured(text, 'Thank you for your business')
    t.not(judge(policy, findFields(policy, document, CONTEXT), CONTEXT).state, 'accepted', text)
  }
})

const CARRIERS: Readonly<Record<string, readonly [line: string, carrier: string]>> = {
  'before the title on its line': [
    'Alder Shield Insurance Company | Renters Policy Declarations',
    'Alder Shield Insurance Company'
  ],
  'behind a label without a colon': ['COMPANY Alder Shield Insurance Company', 'Alder Shield Insurance Company'],
  'behind the number of a form': ['FORM HO-4 Alder Shield Insurance Company', 'Alder Shield Insurance Company'],
  'before the family it belongs to': [
    'Alder Shield Insurance Company of the Farm Bureau family',
    'Alder Shield Insurance Company'
  ],
  'with its place': ['Alder Shield Insurance Company of Ohio', 'Alder Shield Insurance Company of Ohio']
}

for (const [name, [line, carrier]] of Object.entries(CARRIERS)) {
  test(`the one insurer of a declaration is its carrier, ${name}`, async t => {
    const document = lines(line, 'POLICY DECLARATIONS', ...declaration())
    t.equal(fieldOf(document, 'carrier_name')?.value, carrier)
  })
}

test('an insurer named for another policy, or one of several, is not taken for the carrier', async t => {
  for (const texts of [
    ['Prior carrier: Alder Shield Insurance Company'],
    ['Required underlying insurance', 'Auto with Alder Shield Insurance Company']
  ]) {
    const document = lines('POLICY DECLARATIONS', ...declaration(), ...texts)
    t.equal(fieldOf(document, 'carrier_name')?.value ?? null, null, texts.join(' '))
  }
})
