import t from 'tap'
import type { ExistingHead } from '../../../src/db/work/heads.ts'
import { planHeads } from '../../../src/pipeline/commit/plan-heads.ts'

const row = (item: number, idempotencyKey: string, naturalKey = 'k') => ({
  recordId: `r${item}`,
  naturalKey,
  idempotencyKey,
  item
})
const head = (overrides: Partial<ExistingHead> = {}): Map<string, ExistingHead> =>
  new Map([
    [
      'k',
      {
        naturalKey: 'k',
        version: 1,
        lastVersion: 1,
        idempotencyKey: 'A',
        recordId: 'r0',
        item: 5,
        fileNumber: 1,
        batchOrder: 0,
        ...overrides
      }
    ]
  ])

t.test('a new key becomes version 1; the last row of a set wins the head', async t => {
  const plan = planHeads([row(1, 'A'), row(2, 'B'), row(3, 'B'), row(4, 'A')], new Map(), 1)
  t.same(
    [...plan.outcomes.values()],
    [
      { version: 1, duplicateOf: null },
      { version: 2, duplicateOf: null },
      { version: 2, duplicateOf: 'r2' },
      { version: 3, duplicateOf: null }
    ]
  )
  t.match(plan.inserts, [{ version: 3, lastVersion: 3, idempotencyKey: 'A', recordId: 'r4', item: 4 }])
  t.same(plan.updates, [])
})

t.test('a key that comes once is told from one that comes again in the set', async t => {
  const plan = planHeads([row(1, 'A'), row(2, 'B', 'l'), row(3, 'B', 'l')], new Map(), 1)
  t.match(plan.inserts, [
    { naturalKey: 'k', repeated: false },
    { naturalKey: 'l', repeated: true }
  ])
})

t.test('the same content as the head is a duplicate and nothing is written for it', async t => {
  const plan = planHeads([row(3, 'A')], head(), 1)
  t.same(plan.outcomes.get('r3'), { version: 1, duplicateOf: 'r0' })
  t.same(plan.updates, [])
})

t.test('a later duplicate confirms the head at its place', async t => {
  const plan = planHeads([row(9, 'A')], head(), 1)
  t.same(plan.outcomes.get('r9'), { version: 1, duplicateOf: 'r0' })
  t.match(plan.updates, [{ version: 1, lastVersion: 1, recordId: 'r0', item: 9, moved: true }])
})

t.test('other content from an earlier place is superseded on arrival', async t => {
  for (const [item, file, order] of [
    [4, 1, 0],
    [9, 0, 0],
    [9, 1, 1]
  ] as const) {
    const plan = planHeads([row(item, 'B')], head({ batchOrder: order }), file)
    t.same(plan.outcomes.get(`r${item}`), { version: 2, duplicateOf: null })
    t.match(plan.updates, [{ version: 1, lastVersion: 2, idempotencyKey: 'A', recordId: 'r0', moved: false }])
  }
})

t.test('other content from a later place becomes the head', async t => {
  for (const [item, file, order] of [
    [6, 1, 0],
    [1, 2, 0],
    [1, 1, -1]
  ] as const) {
    const plan = planHeads([row(item, 'B')], head({ batchOrder: order, lastVersion: 4 }), file)
    t.same(plan.outcomes.get(`r${item}`), { version: 5, duplicateOf: null })
    t.match(plan.updates, [{ version: 5, lastVersion: 5, idempotencyKey: 'B', moved: true }])
  }
})

t.test('any order of arrival gives the head of the latest place', async t => {
  // Content by place; the last one is B at place 4. Every order in which four chunks of one row can commit.
  const contents = ['A', 'B', 'A', 'B']
  const orders = contents.flatMap((_, a) =>
    contents.flatMap((_, b) => contents.flatMap((_, c) => contents.map((_, d) => [a, b, c, d])))
  )
  const permutations = orders.filter(order => new Set(order).size === 4)
  t.equal(permutations.length, 24)
  for (const order of permutations) {
    let state = new Map<string, ExistingHead>()
    for (const place of order) {
      const plan = planHeads([row(place + 1, contents[place] as string)], state, 1)
      const next = plan.inserts[0] ?? plan.updates[0]
      if (next) state = new Map([['k', { ...next, fileNumber: 1, batchOrder: 0 }]])
    }
    t.equal(state.get('k')?.idempotencyKey, 'B', `order ${order.join()}`)
  }
})
