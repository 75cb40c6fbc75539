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
