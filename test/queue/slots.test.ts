import t from 'tap'
import { withTransaction } from '../../src/db/transaction.ts'
import { newId } from '../../src/model/ids.ts'
import type { Lane } from '../../src/model/states.ts'
import { createBoss } from '../../src/queue/boss.ts'
import { enqueueJobs } from '../../src/queue/enqueue.ts'
import { createJobListener } from '../../src/queue/listener.ts'
import { queueDepths, raiseOldJobs, withoutLiveJob } from '../../src/queue/live-jobs.ts'
import { completeJob } from '../../src/queue/settle.ts'
import { type JobHandler, slotPriorities, startSlots } from '../../src/queue/slots.ts'
import { testDatabase } from '../helpers/database.ts'
import { claim, JURISDICTION, silent, testBoss } from '../helpers/factory.ts'

const job = (lane: Lane = 'standard', subjectId = newId()) => ({
  jurisdiction: JURISDICTION,
  subjectId,
  generation: 1,
  lane
})

async function workingBoss(t: Parameters<typeof testDatabase>[0]) {
  const { pool, url } = await testDatabase(t)
  const boss = await createBoss({ url, role: 'worker', heartbeatSeconds: 10, logger: silent })
  const listener = createJobListener(url, silent)
  const start = (queue: 'chunk' | 'document', slots: number, handler: JobHandler) => {
    const started = startSlots({ boss, listener, queue, slots, heartbeatSeconds: 10, logger: silent, handler })
    t.teardown(() => started.stop(5000))
    return started
  }
  t.teardown(async () => {
    await listener.close()
    await boss.stop({ graceful: false })
  })
  return { pool, boss, url, start }
}

t.test('four slots drain 400 jobs of 5 ms in under 3 seconds', async t => {
  const { pool, boss, start } = await workingBoss(t)
  await withTransaction(pool, tx =>
    enqueueJobs(
      boss,
      tx,
      'chunk',
      Array.from({ length: 400 }, () => job())
    )
  )
  const seen = new Set<string>()
  const begun = performance.now()
  // Jobs of many jurisdictions, so that the rule that one of them never takes all slots does not hide a slot.
  await new Promise<void>(done => {
    start('chunk', 4, async claimed => {
      await new Promise(resolve => setTimeout(resolve, 5))
      seen.add(claimed.data.subject)
      if (seen.size === 400) done()
      return 'open'
    })
  })
  const ms = performance.now() - begun
  t.comment(`400 jobs in ${Math.round(ms)} ms`)
  t.ok(ms < 3000, `took ${Math.round(ms)} ms`)
})

t.test('a job enqueued while the slots are idle is taken at once, not at the next poll', async t => {
  const { pool, boss, start } = await workingBoss(t)
  let taken: (subject: string) => void = () => undefined
  start('document', 2, async claimed => {
    taken(claimed.data.subject)
    return 'open'
  })
  for (let round = 0; round < 3; round++) {
    const wanted = job()
    const seen = new Promise<string>(resolve => {
      taken = resolve
    })
    const begun = performance.now()
    await withTransaction(pool, tx => enqueueJobs(boss, tx, 'document', [wanted]))
    t.equal(await seen, wanted.subjectId)
    if (round > 0) t.ok(performance.now() - begun < 900, 'faster than the shortest poll')
  }
})

t.test('enqueueing is all or nothing and joins the transaction', async t => {
  const { pool, url } = await testDatabase(t)
  const boss = await testBoss(t, url)
  const one = job()
  await withTransaction(pool, tx => enqueueJobs(boss, tx, 'chunk', [one]))
  await t.rejects(
    withTransaction(pool, tx => enqueueJobs(boss, tx, 'chunk', [job(), one])),
    { code: 'ENQUEUE_FAILED' },
    'an id that exists is an error, not silence'
  )
  await t.rejects(
    withTransaction(pool, async tx => {
      await enqueueJobs(boss, tx, 'chunk', [job()])
      throw new Error('later fault')
    })
  )
  t.match(await queueDepths(pool), [{ queue: 'chunk', lane: 'standard', depth: 1 }])
})

t.test('critical jobs come first; of several slots one takes only them and one leaves them', async t => {
  const { pool, url } = await testDatabase(t)
  const boss = await testBoss(t, url)
  const [low, mid, high] = [job('maintenance'), job('standard'), job('critical')]
  await withTransaction(pool, tx => enqueueJobs(boss, tx, 'chunk', [low, mid, high]))
  for (const expected of [high, mid, low]) t.equal((await claim(boss)).data.subject, expected.subjectId)
  t.same(
    [0, 1, 2, 3].map(slot => slotPriorities(slot, 4)),
    [{ minPriority: 20 }, { maxPriority: 19 }, {}, {}]
  )
  t.same(slotPriorities(0, 1), {}, 'a lone slot takes everything')
})

t.test('jobs that wait for long rise one lane at a time', async t => {
  const { pool, url } = await testDatabase(t)
  const boss = await testBoss(t, url)
  await withTransaction(pool, tx =>
    enqueueJobs(boss, tx, 'chunk', [job('maintenance'), job('standard'), job('critical')])
  )
  t.equal(await raiseOldJobs(pool, 3600), 0, 'none is old yet')
  await pool.query(`update pgboss.job set created_on = created_on - interval '61 minutes'`)
  t.equal(await raiseOldJobs(pool, 3600), 2, 'maintenance and standard rise after one hour')
  t.equal(await raiseOldJobs(pool, 3600), 0, 'and not again within the next hour')
  const depths = new Map((await queueDepths(pool)).map(({ lane, depth }) => [lane, depth]))
  t.same([depths.get('critical'), depths.get('standard'), depths.get('maintenance')], [2, 1, undefined])
  await pool.query(`update pgboss.job set created_on = created_on - interval '61 minutes'`)
  t.equal(await raiseOldJobs(pool, 3600), 1, 'what was maintenance')
  await pool.query(`update pgboss.job set created_on = created_on - interval '10 hours'`)
  t.equal(await raiseOldJobs(pool, 3600), 0, 'nothing rises above critical')
})

t.test('completing in a transaction: once, and only for the attempt that holds the claim', async t => {
  const { pool, url } = await testDatabase(t)
  const boss = await testBoss(t, url)
  const one = job()
  await withTransaction(pool, tx => enqueueJobs(boss, tx, 'chunk', [one]))
  t.equal((await withoutLiveJob(pool, 'chunk', [{ id: one.subjectId, generation: 1 }])).length, 0)
  const claimed = await claim(boss)
  const stale = { ...claimed, attempt: { id: claimed.attempt.id, retryCount: claimed.attempt.retryCount + 1 } }
  t.equal(await withTransaction(pool, tx => completeJob(boss, tx, stale)), false)
  t.equal(await withTransaction(pool, tx => completeJob(boss, tx, claimed)), true)
  t.equal(await withTransaction(pool, tx => completeJob(boss, tx, claimed)), false, 'a second time')
  t.equal((await withoutLiveJob(pool, 'chunk', [{ id: one.subjectId, generation: 1 }])).length, 1)
})

t.test('a handler that completed its job itself is not completed twice or failed', async t => {
  const { pool, boss, start } = await workingBoss(t)
  const one = job()
  await withTransaction(pool, tx => enqueueJobs(boss, tx, 'chunk', [one]))
  const handled = new Promise<void>(resolve => {
    const slots = start('chunk', 1, async claimed => {
      t.equal(await withTransaction(pool, tx => completeJob(boss, tx, claimed)), true)
      setImmediate(() => {
        slots.stop(5000).then(resolve, resolve)
      })
      return 'settled'
    })
  })
  await handled
  const { rows } = await pool.query(`select state, retry_count, output from pgboss.job where name = 'chunk'`)
  t.same(rows, [{ state: 'completed', retry_count: 0, output: null }])
})

t.test('a handler that throws fails its attempt with a code and no message', async t => {
  const { pool, boss, start } = await workingBoss(t)
  await withTransaction(pool, tx => enqueueJobs(boss, tx, 'chunk', [job()]))
  const slots = await new Promise<ReturnType<typeof start>>(resolve => {
    const started = start('chunk', 1, async () => {
      setImmediate(() => resolve(started))
      throw new Error(`secret 123-45-6789 \u0000 ${'x'.repeat(2_000_000)}`)
    })
  })
  await slots.stop(5000)
  const { rows } = await pool.query<{ state: string; output: string }>(
    `select state, output::text as output from pgboss.job where name = 'chunk'`
  )
  t.equal(rows[0]?.state, 'retry')
  t.match(rows[0]?.output, /"code": ?"INTERNAL"/)
  t.notMatch(rows[0]?.output, /secret|xxx/)
})

t.test('one jurisdiction never holds all slots', async t => {
  const { pool, boss, start } = await workingBoss(t)
  const flood = Array.from({ length: 6 }, () => job())
  await withTransaction(pool, tx => enqueueJobs(boss, tx, 'chunk', flood))
  const release = new AbortController()
  const held = new Promise<void>(resolve => release.signal.addEventListener('abort', () => resolve()))
  const seen: string[] = []
  const other = new Promise<void>(resolve => {
    start('chunk', 2, async claimed => {
      seen.push(claimed.data.jurisdiction)
      if (claimed.data.jurisdiction === '06037') resolve()
      else await held
      return 'open'
    })
  })
  await withTransaction(pool, tx => enqueueJobs(boss, tx, 'chunk', [{ ...job(), jurisdiction: '06037' }]))
  await other
  t.equal(seen.filter(jurisdiction => jurisdiction === JURISDICTION).length, 1, 'the flood holds one of two slots')
  release.abort()
})

t.test('a stopping worker gives jobs in hand back at once', async t => {
  const { pool, boss, start } = await workingBoss(t)
  await withTransaction(pool, tx => enqueueJobs(boss, tx, 'chunk', [job()]))
  let aborted = false
  const slots = await new Promise<ReturnType<typeof start>>(resolve => {
    const started = start('chunk', 1, async claimed => {
      setImmediate(() => resolve(started))
      await new Promise<void>(done => claimed.signal.addEventListener('abort', () => done()))
      aborted = true
      return 'open'
    })
  })
  t.equal(slots.busy, 1)
  await slots.stop(20)
  const { rows } = await pool.query(`select state from pgboss.job where name = 'chunk'`)
  t.same(rows, [{ state: 'retry' }])
  t.equal(aborted, true)
})
