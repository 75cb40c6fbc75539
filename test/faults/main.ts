/**
 * `npm run faults -- [--short] [--seed N] [--set name=value]… [--old REVISION] [C-1 D-2 …]`: runs scenarios one after the other, each on
 * processes of its own, and prints what was measured. Exit status 1 when anything did not hold.
 */
import { parseArgs } from 'node:util'
import { chanceOf } from './harness/random.ts'
import { stopAll } from './harness/system.ts'
import { timed } from './harness/wait.ts'
import { startWorld, type World } from './harness/world.ts'
import { SCENARIOS } from './scenarios/all.ts'
import type { Result, Scenario, Size } from './scenarios/scenario.ts'

const { values, positionals } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    old: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false }
  },
  allowPositionals: true
})

const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
const chosen = positionals.length === 0 ? SCENARIOS : SCENARIOS.filter(({ id }) => positionals.includes(id))
const changed = Object.fromEntries(values.set.map(text => [text.split('=')[0] ?? '', Number(text.split('=')[1])]))

function sizeOf({ short, full }: Scenario): Size {
  const size = values.short ? short : full
  return { ...size, ...Object.fromEntries(Object.entries(changed).filter(([name]) => name in size)) }
}

const told = (figures: Result['figures']): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(' | ')

function print(scenario: Scenario, { figures, verdict, faults, impossible }: Result, seconds: number): boolean {
  const ok = faults.length === 0 && (verdict?.ok ?? true)
  const mark = impossible === undefined ? (ok ? 'held' : 'BROKEN') : 'not possible here'
  console.log(`${scenario.id} ${mark} in ${seconds.toFixed(0)} s: ${impossible ?? told(figures)}`)
  if (verdict) console.log(`  ${verdict.line}`)
  for (const fault of faults) console.log(`  not so: ${fault}`)
  for (const { guarantee, subject, message } of verdict?.findings.slice(0, 20) ?? [])
    console.log(`  ${guarantee}: ${subject} ${message}`)
  return ok
}

async function runAll(world: World): Promise<boolean> {
  let allHeld = true
  for (const scenario of chosen) {
    console.log(`${scenario.id} ${scenario.title} ${JSON.stringify(sizeOf(scenario))}`)
    const context = { world, chance: chanceOf(seed), size: sizeOf(scenario), old: values.old }
    try {
      const { seconds, answer } = await timed(() => scenario.run(context))
      if (!print(scenario, answer, seconds)) allHeld = false
    } catch (error) {
      allHeld = false
      console.log(`${scenario.id} ended by a fault of its own:`, error)
    }
  }
  return allHeld
}

if (values.list) {
  for (const { id, title, short, full } of SCENARIOS)
    console.log(`${id} ${title}; short ${JSON.stringify(short)}, full ${JSON.stringify(full)}`)
} else {
  console.log(`seed ${seed}`)
  const world = await startWorld()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => void Promise.allSettled([stopAll(), world.stop()]).then(() => process.exit(1)))
  }
  let status = 1
  try {
    status = (await runAll(world)) ? 0 : 1
  } finally {
    await world.stop()
  }
  // A scenario that ended by a fault may have left something waiting.
  process.exit(status)
}
