import tap from 'tap'
import { PERMIT_PAIRS } from './pairs-permit.ts'

tap.test('each permit pair is read as stated', async t => {
  for (const { pair, raw, read, is } of PERMIT_PAIRS) t.strictSame(read(raw), is, `${pair}: ${JSON.stringify(raw)}`)
})

tap.test('the table holds all 59 pairs', async t => {
  t.equal(new Set(PERMIT_PAIRS.map(row => row.pair)).size, 59)
})
