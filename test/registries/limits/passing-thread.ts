import { parentPort, workerData } from 'node:worker_threads'
import { type Places, sharedTurnstile } from '../../../src/registries/limits/places.ts'
import { createTurnstile } from '../../../src/registries/limits/turnstile.ts'

export interface Passing {
  readonly places: Places
  /** How many are inside, of all threads, and the most there ever were. */
  readonly seen: Int32Array<SharedArrayBuffer>
  readonly most: number
  readonly passes: number
  /** Whether to stay inside until more than so many were: who keeps the bound never leaves. */
  readonly untilMore: boolean
}

const { places, seen, most, passes, untilMore } = workerData as Passing

async function inside(): Promise<void> {
  const now = Atomics.add(seen, 0, 1) + 1
  for (let before = Atomics.load(seen, 1); before < now; before = Atomics.load(seen, 1)) {
    if (Atomics.compareExchange(seen, 1, before, now) === before) break
  }
  const isEnough = (): boolean => !untilMore || Atomics.load(seen, 1) > most
  await new Promise(resolve => setImmediate(resolve))
  while (!isEnough()) await new Promise(resolve => setImmediate(resolve))
  Atomics.sub(seen, 0, 1)
}

const own = createTurnstile(most)
const shared = sharedTurnstile(places, 'registry.example.gov:443', most)

async function begin(): Promise<void> {
  const keepAlive = setInterval(() => undefined, 1000)
  await Promise.all(Array.from({ length: passes }, () => own.pass(() => shared.pass(inside))))
  clearInterval(keepAlive)
  parentPort?.postMessage('passed', [])
}

// Told to begin when all threads are there.
parentPort?.once('message', () => void begin())
parentPort?.postMessage('ready', [])
