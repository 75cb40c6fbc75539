import { test } from 'tap'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, lines } from '../find/documents.ts'

function stateWith(...premium: readonly string[]): string {
  const document = lines('POLICY DECLARATIONS', ...declaration({ 'Total Premium': null }), ...premium)
  return judge(policy, findFields(policy, document, CONTEXT), CONTEXT).state
}

test('the one premium of a paper is not taken unseen when its name is that of a part', t => {
  for (const name of [
    'General Liability Premium',
    'Property Premium',
    'Commercial Property Coverage Part Premium',
    'Location 1 Premium',
    'Vehicle 2 Premium',
    'Installment Premium',
    'Semi-Annual Premium',
    'Pro Rata Premium',
    'Total Premium This Page'
  ])
    t.equal(stateWith(`${name}: $684.00`), 'quarantined', name)
  t.equal(
    stateWith('Premium: $684.00', 'Surplus Lines Tax: $33.00'),
    'quarantined',
    'what is charged besides is in no total'
  )
  for (const name of ['Premium', 'Annual Premium', 'Total Premium'])
    t.equal(stateWith(`${name}: $684.00`), 'accepted', name)
  t.end()
})
