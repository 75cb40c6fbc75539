import t from 'tap'
import { TABLE_FAULTS } from './faults/tables.ts'
import { testFaults } from './test-faults.ts'

t.test('every fault of work and content is found by its check, with its subject', t => testFaults(t, TABLE_FAULTS))
