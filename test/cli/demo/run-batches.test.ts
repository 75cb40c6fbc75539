import { test } from 'tap'
import type { Batch, Client } from '../../../src/cli/demo/client.ts'
import { isExpected, runBatches } from '../../../src/cli/demo/run-batches.ts'
import { faultsOf } from '../../../src/cli/demo/run-demo.ts'
import { readSampleBatches } from '../../../src/cli/demo/sample-batches.ts'

const counts = (changes: Partial<Batch['counts']> = {}): Batch['counts'] => ({
  total: 10,
  pending: 0,
  accepted: 7,
  duplicate: 1,
  quarantined: 2,
  rejected: 0,
  cancelled: 0,
  ...changes
})
const expected = { total: 10, accepted: 7, duplicate: 1, quarantined: 2, rejected: 0, may_be_held: 1 }

test('an outcome is as expected when it adds up, with only so many sound documents held', t => {
  t.ok(isExpected(counts(), expected))
  t.ok(isExpected(counts({ accepted: 6, quarantined: 3 }), expected), 'one may be held')
  t.notOk(isExpected(counts({ accepted: 5, quarantined: 4 }), expected), 'two may not')
  t.notOk(isExpected(counts({ accepted: 8, quarantined: 1 }), expected), 'more accepted than is right')
  t.notOk(isExpected(counts({ accepted: 6 }), expected), 'one is lost')
  t.notOk(isExpected(counts({ total: 11 }), expected))
  t.notOk(isExpected(counts({ duplicate: 0, rejected: 1 }), expected))
  t.end()
})

test('the samples are read, and each is followed to its end', async t => {
  const [batch] = await readSampleBatches()
  if (batch === undefined) throw new Error('no samples')
  const states: Batch[] = [
    { state: 'processing', progress: 0.5, counts: counts({ pending: 3 }) },
    { state: 'completed', progress: 1, counts: counts() }
  ]
  const client: Client = {
    submit: async () => ({ id: 'one', isReplay: false }),
    batch: async () => states.shift() ?? Promise.reject(new Error('asked after the end')),
    notAccepted: async () => []
  }
  const lines: string[] = []
  const finished = await runBatches(client, [{ ...batch, expect: expected }], {
    update: line => lines.push(line),
    finish: line => lines.push(line)
  })
  t.match(finished, [{ name: batch.name, id: 'one', isReplay: false, isExpected: true }])
  t.match(lines, [/ 50 %/, /100 % {2}10 records/])
  t.strictSame(faultsOf(finished, finished), [`${batch.name} was worked a second time`])
  t.strictSame(faultsOf(finished, [{ ...finished[0]!, isReplay: true }]), [])
})
