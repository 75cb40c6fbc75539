import tap from 'tap'
import { POLICY_PAIRS } from './pairs-policy.ts'

tap.test('each policy pair is read as stated', async t => {
  for (const { pair, raw, read, is } of POLICY_PAIRS) t.strictSame(read(raw), is, `${pair}: ${JSON.stringify(raw)}`)
})

tap.test('the table holds all 62 pairs', async t => {
  t.equal(new Set(POLICY_PAIRS.map(row => row.pair)).size, 62)
})
