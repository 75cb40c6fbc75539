import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { createPlaces, sharedTurnstile } from '../../../src/registries/limits/places.ts'
import type { Passing } from './passing-thread.ts'

const THREADS = 2
const PASSES = 300
const MOST = 2

/** The most that were inside at once of all threads, after each has passed so often. */
async function mostInside(placesOf: () => Passing['places'], untilMore = false): Promise<number> {
  const seen = new Int32Array(new SharedArrayBuffer(8))
  const threads = Array.from({ length: THREADS }, () => {
    const workerData: Passing = { places: placesOf(), seen, most: MOST, passes: PASSES, untilMore }
    return new Worker(new URL('passing-thread.ts', import.meta.url), { workerData })
  })
  await Promise.all(threads.map(thread => once(thread, 'message')))
  const passed = threads.map(thread => once(thread, 'message'))
  for (const thread of threads) thread.postMessage('begin', [])
  await Promise.all(passed)
  await Promise.all(threads.map(thread => thread.terminate()))
  return seen[1] ?? 0
}

t.test('threads of a process keep the bound together, and each of them gets through', async t => {
  const places = createPlaces()
  t.equal(await mostInside(() => places), MOST)
  t.ok(
    places.every(inside => inside === 0),
    'nobody is left inside'
  )
})

t.test('without places in common they do not, which the test sees', async t => {
  t.ok((await mostInside(createPlaces, true)) > MOST)
})

t.test('a place is given back by what fails, and whoever has a higher bound passes those who wait', async t => {
  const places = createPlaces()
  const [narrow, wide] = [sharedTurnstile(places, 'a', 1), sharedTurnstile(places, 'a', 2)]
  await t.rejects(
    narrow.pass(() => Promise.reject(new Error('no answer'))),
    /no answer/
  )
  const order: string[] = []
  let leave: () => void = () => undefined
  const inside = narrow.pass(() => new Promise<void>(resolve => (leave = resolve)))
  const waiting = narrow.pass(async () => void order.push('narrow'))
  await wide.pass(async () => void order.push('wide'))
  leave()
  await Promise.all([inside, waiting])
  t.same(order, ['wide', 'narrow'])
})
