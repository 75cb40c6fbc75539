import t from 'tap'
import { createSoloGate } from '../../src/pipeline/work/solo-gate.ts'

/** Work that ends when told to, and writes down when it starts. */
function task(log: string[], name: string) {
  let end: () => void = () => undefined
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  return {
    end: () => end(),
    run: async () => {
      log.push(name)
      await ended
      log.push(`${name}.`)
    }
  }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

t.test('work runs side by side, a soloist waits for it, and later work waits for the soloist', async t => {
  const gate = createSoloGate()
  const log: string[] = []
  const [a, b, solo, c] = ['a', 'b', 'solo', 'c'].map(name => task(log, name)) as [
    ReturnType<typeof task>,
    ReturnType<typeof task>,
    ReturnType<typeof task>,
    ReturnType<typeof task>
  ]
  const all = [gate.together(a.run), gate.together(b.run)]
  await settled()
  all.push(gate.alone(solo.run), gate.together(c.run))
  await settled()
  t.same(log, ['a', 'b'])
  a.end()
  await settled()
  t.same(log, ['a', 'b', 'a.'], 'the soloist waits for both')
  b.end()
  await settled()
  t.same(log.slice(3), ['b.', 'solo'])
  solo.end()
  await settled()
  t.same(log.slice(5), ['solo.', 'c'])
  c.end()
  await Promise.all(all)
})

t.test('soloists run one after another, and a failing one lets the next in', async t => {
  const gate = createSoloGate()
  const log: string[] = []
  const first = gate.alone(async () => {
    log.push('first')
    await settled()
    throw new Error('fails')
  })
  const second = gate.alone(async () => {
    log.push('second')
  })
  await t.rejects(first)
  await second
  await gate.together(async () => {
    log.push('third')
  })
  t.same(log, ['first', 'second', 'third'])
})

t.test('short work goes on while a soloist waits for long work, and no more long work begins', async t => {
  const gate = createSoloGate()
  const log: string[] = []
  const [scan, solo, row, next, later] = ['scan', 'solo', 'row', 'next', 'later'].map(name => task(log, name)) as [
    ReturnType<typeof task>,
    ReturnType<typeof task>,
    ReturnType<typeof task>,
    ReturnType<typeof task>,
    ReturnType<typeof task>
  ]
  const all = [gate.together(scan.run, 'long')]
  await settled()
  all.push(gate.alone(solo.run), gate.together(row.run), gate.together(next.run, 'long'))
  await settled()
  t.same(log, ['scan', 'row'])
  scan.end()
  await settled()
  all.push(gate.together(later.run))
  await settled()
  t.same(log.slice(2), ['scan.'], 'only the row is left to wait for, and nothing more begins')
  row.end()
  await settled()
  t.same(log.slice(3), ['row.', 'solo'])
  solo.end()
  await settled()
  t.same(log.slice(5, 6), ['solo.'])
  t.same(new Set(log.slice(6)), new Set(['next', 'later']))
  for (const one of [next, later]) one.end()
  await Promise.all(all)
})

t.test('whatever comes in whatever order, nothing runs beside a soloist and everything runs', async t => {
  const seed = Number(process.env['SEED'] ?? 20_261_130)
  let state = seed
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % limit
  }
  const gate = createSoloGate()
  let running = 0
  let alone = 0
  let together = 0
  const work = (isAlone: boolean) => async () => {
    running += 1
    if (isAlone) alone += 1
    t.notOk(alone > 0 && running > 1, `seed ${seed}`)
    together = Math.max(together, running)
    for (let turns = below(5); turns > 0; turns--) await settled()
    running -= 1
    if (isAlone) alone -= 1
  }
  const all: Promise<void>[] = []
  for (let i = 0; i < 300; i++) {
    const kind = below(10)
    if (kind === 0) all.push(gate.alone(work(true)))
    else all.push(gate.together(work(false), kind < 4 ? 'long' : 'short'))
    if (below(3) === 0) await settled()
  }
  await Promise.all(all)
  t.equal(running, 0)
  t.ok(together > 1, 'work did run side by side')
})
