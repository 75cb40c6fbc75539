import { createHttpAdapter, type HttpSettings } from '../src/registries/http/http-adapter.ts'
import type { Adapter } from '../src/registries/registry.ts'
import { Random, testSeed } from '../test/normalize/properties/random.ts'
import { checkLookUps } from '../test/registries/http/server/check-look-ups.ts'
import { startFaultServer } from '../test/registries/http/server/fault-server.ts'
import { WAYS } from '../test/registries/http/server/settings.ts'
import { keyOf } from '../test/registries/http/server/world.ts'

/** Look-ups by each way of asking; a way that takes one key a call makes fewer. */
const LOOK_UPS = 25_000
const LOOK_UPS_BY_ONE = 2500
/** Of a hundred calls so many are spoiled, each in one of the ways a registry can fail. */
const PERCENT = 40

const open = (settings: HttpSettings): Adapter =>
  createHttpAdapter('parcel', settings, { secret: undefined, connections: 4, now: () => Date.now() })

/** Keys of a chunk at most: whole chunks, and small ones, of which many more calls are made for as many keys. */
const CHUNKS = [500, 20]

interface Sum {
  right: number
  wrong: number
  faulted: number
}

/** Asks a registry that fails in every way it can, over real HTTP, and compares every answer with the truth. */
async function askSpoiled(way: string, settingsOf: (origin: string) => HttpSettings, seed: number): Promise<Sum> {
  const random = new Random(seed)
  const server = await startFaultServer({ random, percent: PERCENT })
  const adapter = open(settingsOf(server.origin))
  const lookUps = (adapter.keysPerCall === 1 ? LOOK_UPS_BY_ONE : LOOK_UPS) / CHUNKS.length
  const sum: Sum = { right: 0, wrong: 0, faulted: 0 }
  const began = performance.now()
  for (const chunk of CHUNKS) {
    const outcome = await checkLookUps(adapter, { random, lookUps, chunk, attempts: 4, timeoutMs: 1000 })
    sum.right += outcome.right
    sum.wrong += outcome.wrongCount
    sum.faulted += outcome.faulted
    for (const line of outcome.wrong) console.log(`  wrong: ${line}`)
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  const spoiled = [...server.made.values()].reduce((total, count) => total + count, 0)
  await server.close()
  console.log(
    `${way}: ${sum.right} right, ${sum.wrong} wrong, ${sum.faulted} ended in a fault; ` +
      `${server.calls()} calls, ${spoiled} spoiled in ${server.made.size} ways, ${server.strayCalls()} astray; ${seconds} s`
  )
  sum.wrong += server.strayCalls()
  return sum
}

/** The calls that 500 keys take when nothing is known of them and nothing fails. */
async function countCalls(settingsOf: (origin: string) => HttpSettings, random: Random): Promise<string> {
  const server = await startFaultServer({ random })
  const adapter = open(settingsOf(server.origin))
  const keys = Array.from({ length: adapter.keysPerCall }, (_, i) => keyOf(i * 401 + 1))
  await adapter.lookUp(keys, { asOf: '2026-11-30', signal: AbortSignal.timeout(60_000) })
  await server.close()
  return `${server.calls()} calls for ${keys.length} keys`
}

/** Fails when an answer is wrong, or another host than the configured one was asked. */
async function main(): Promise<void> {
  const seed = testSeed()
  console.log(`DOCKET_TEST_SEED=${seed}`)
  let [all, wrong] = [0, 0]
  for (const [way, settingsOf] of Object.entries(WAYS)) {
    const sum = await askSpoiled(way, settingsOf, seed)
    console.log(`  ${await countCalls(settingsOf, new Random(seed))}`)
    all += sum.right + sum.wrong + sum.faulted
    wrong += sum.wrong
  }
  console.log(`${all} look-ups, ${wrong} wrong`)
  if (wrong > 0) process.exitCode = 1
}

await main()
