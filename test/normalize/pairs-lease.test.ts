import tap from 'tap'
import { LEASE_PAIRS } from './pairs-lease.ts'

tap.test('each lease pair is read as stated', async t => {
  for (const { pair, raw, read, is } of LEASE_PAIRS) t.strictSame(read(raw), is, `${pair}: ${JSON.stringify(raw)}`)
})

tap.test('the table holds all 70 pairs', async t => {
  t.equal(new Set(LEASE_PAIRS.map(row => row.pair)).size, 70)
})
