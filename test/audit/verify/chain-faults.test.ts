import t from 'tap'
import { CHAIN_FAULTS } from './faults/chains.ts'
import { testFaults } from './test-faults.ts'

t.test('every fault of the audit trail is found by its check, with its subject', t => testFaults(t, CHAIN_FAULTS))
