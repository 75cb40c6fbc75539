import t from 'tap'
import { CONTENT_FAULTS } from './faults/contents.ts'
import { testFaults } from './test-faults.ts'

t.test('every change of a record that its entries do not tell of is found', async t => {
  await t.test('entries in pages', t => testFaults(t, CONTENT_FAULTS, { pages: true }))
  await t.test('entries by themselves', t => testFaults(t, CONTENT_FAULTS))
})
