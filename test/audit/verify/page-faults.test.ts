import t from 'tap'
import { PAGE_FAULTS } from './faults/pages.ts'
import { testFaults } from './test-faults.ts'

t.test('every fault of a page of entries is found by its check, with its subject', t =>
  testFaults(t, PAGE_FAULTS, { pages: true })
)
