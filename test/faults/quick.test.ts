import t from 'tap'
import { chanceOf } from './harness/random.ts'
import { startWorld } from './harness/world.ts'
import { SCENARIOS } from './scenarios/all.ts'

/** The quickest scenarios, as small as they mean anything; all of them at any size: `npm run faults`. */
const QUICK: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'C-3': { cuts: 6 },
  'D-7': { seconds: 2, clients: 1, rows: 200 },
  'S-5': { files: 5 },
  'L-5': { requests: 60 }
}

t.test('the quickest of the fault scenarios hold', async t => {
  const seed = Number(process.env['FAULT_SEED'] ?? Math.floor(Math.random() * 1_000_000))
  t.comment(`FAULT_SEED=${seed}`)
  const world = await startWorld()
  t.teardown(() => world.stop())
  for (const [id, size] of Object.entries(QUICK)) {
    const scenario = SCENARIOS.find(one => one.id === id)
    if (!scenario) throw new Error(`there is no scenario ${id}`)
    const { figures, verdict, faults } = await scenario.run({ world, chance: chanceOf(seed), size })
    t.comment(`${id} ${JSON.stringify(figures)}`)
    t.comment(verdict?.line ?? '')
    t.strictSame([...faults, ...(verdict?.findings ?? [])], [], `${id}: ${scenario.title}`)
    t.ok(verdict?.ok, verdict?.line ?? '')
  }
})
