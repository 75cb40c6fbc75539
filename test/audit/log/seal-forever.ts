import { generateKeyPairSync } from 'node:crypto'
import { sealAll } from '../../../src/audit/log/seal.ts'
import { createPool } from '../../../src/db/pool.ts'

// Seals without a pause until it is killed; by then it has told that it begins.
const pool = createPool({
  url: process.argv[2] ?? '',
  max: 2,
  applicationName: 'docket-test-sealer',
  onError: () => undefined
})
const deps = { pool, origin: 'docket', keys: [generateKeyPairSync('ed25519').privateKey], retired: [] }
await pool.query('select 1')
process.send?.('begun')
for (;;) await sealAll(deps).catch(() => undefined)
