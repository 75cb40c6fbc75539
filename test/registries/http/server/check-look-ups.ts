import { isDeepStrictEqual } from 'node:util'
import { type Adapter, type Answer, RegistryFault } from '../../../../src/registries/registry.ts'
import type { Random } from '../../../normalize/properties/random.ts'
import { keyOf, truthOf, WORLD } from './world.ts'

export interface CheckOptions {
  readonly random: Random
  readonly lookUps: number
  /** Most keys of one chunk. */
  readonly chunk: number
  /** How often a chunk is tried. */
  readonly attempts: number
  readonly timeoutMs: number
  /** Only these keys are asked; any of the world unless given. */
  readonly keys?: readonly string[]
}

/** What became of the keys: every one is answered rightly, answered wrongly, or ended in a fault. */
export interface Outcome {
  right: number
  faulted: number
  /** The first few, by key and answer. */
  readonly wrong: string[]
  wrongCount: number
  /** How often each fault was thrown, by kind and code. */
  readonly faults: Map<string, number>
}

/** Keys that some registry has, that none has, and that would be more than a key if they were not quoted. */
function someKey(random: Random): string {
  const odd = random.below(40)
  if (odd === 0) return `X') OR ('1'='1${random.below(1000)}`
  if (odd === 1) return `10${random.digits(12)}`
  return keyOf(random.below(WORLD))
}

function chunksOf({ random, lookUps, chunk, keys }: CheckOptions): readonly (readonly string[])[] {
  const chunks: (readonly string[])[] = []
  for (let left = lookUps; left > 0; ) {
    const size = Math.min(left, chunk, 1 + random.below(random.below(2) === 0 ? 20 : chunk))
    chunks.push([...new Set(Array.from({ length: size }, () => (keys ? random.pick(keys) : someKey(random))))])
    left -= chunks.at(-1)?.length ?? size
  }
  return chunks
}

async function lookUpChunk(adapter: Adapter, keys: readonly string[], options: CheckOptions, outcome: Outcome) {
  for (let attempt = 1; attempt <= options.attempts; attempt++) {
    try {
      const signal = AbortSignal.timeout(options.timeoutMs)
      return await adapter.lookUp(keys, { asOf: '2026-11-30', signal })
    } catch (error) {
      if (!(error instanceof RegistryFault)) throw error
      const name = `${error.kind} ${error.code}`
      outcome.faults.set(name, (outcome.faults.get(name) ?? 0) + 1)
    }
  }
  return undefined
}

/**
 * Looks many keys up and compares every answer with the truth. The one judge of adapters: what it does not find in a flawed
 * one it would not find in ours.
 */
export async function checkLookUps(adapter: Adapter, options: CheckOptions): Promise<Outcome> {
  const outcome: Outcome = { right: 0, faulted: 0, wrong: [], wrongCount: 0, faults: new Map() }
  const chunks = chunksOf(options).flatMap(chunk =>
    Array.from({ length: Math.ceil(chunk.length / adapter.keysPerCall) }, (_, i) =>
      chunk.slice(i * adapter.keysPerCall, (i + 1) * adapter.keysPerCall)
    )
  )
  const count = (key: string, answer: Answer | undefined): void => {
    if (!answer) outcome.faulted += 1
    else if (isDeepStrictEqual(answer, truthOf(key))) outcome.right += 1
    else {
      outcome.wrongCount += 1
      if (outcome.wrong.length < 5) outcome.wrong.push(`${key}: ${JSON.stringify(answer)}`)
    }
  }
  const work = async (): Promise<void> => {
    for (let keys = chunks.pop(); keys; keys = chunks.pop()) {
      const answers = await lookUpChunk(adapter, keys, options, outcome)
      for (const key of keys) count(key, answers ? (answers.get(key) ?? { kind: 'no_match' }) : undefined)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return outcome
}
