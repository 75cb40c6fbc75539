import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { type CrashPoint, crashPoint } from '../../../src/crash-points.ts'
import { chanceOf } from '../harness/random.ts'
import { startWorld } from '../harness/world.ts'
import { DEEDS, deedOf } from './deeds.ts'
import { ALL_POINTS, runPoints } from './run-points.ts'

const ROOT = join(import.meta.dirname, '../../..')
const POINTS = join(ROOT, 'src/crash-points.ts')

/** Other points each time, by a seed that is told. */
const SHORT = 4

t.test('every point stands once in the source, and something is known that passes it', async t => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter(file => file !== 'src/crash-points.ts')
  const passed = files.flatMap(file =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bcrashPoint\('([^']+)'\)/g)].map(match => match[1] ?? '')
  )
  t.strictSame(passed.toSorted(), [...ALL_POINTS].toSorted())
  t.ok(ALL_POINTS.length >= 40, `${ALL_POINTS.length} points`)
  for (const point of ALL_POINTS) t.ok(deedOf(point) in DEEDS, point)
  t.throws(() => deedOf('nobody.knows' as CrashPoint))
})

t.test('a point that is not armed does nothing, and one that is ends its process once', async t => {
  crashPoint('commit.locked')
  const folder = mkdtempSync(join(tmpdir(), 'docket-points-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const mark = join(folder, 'mark')
  const text = `import { crashPoint } from ${JSON.stringify(POINTS)}
    crashPoint('seal.locked'); crashPoint('commit.locked'); console.log('one'); crashPoint('commit.locked'); console.log('two')`
  const run = () =>
    spawnSync(process.execPath, ['--input-type=module', '-e', text], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', DOCKET_CRASH_AT: `commit.locked:2:${mark}` }
    })
  t.match(run(), { signal: 'SIGKILL', stdout: /^one\n$/ })
  t.ok(existsSync(mark))
  t.match(run(), { status: 0, stdout: /^one\ntwo\n$/ }, 'the mark is there: it goes on')
})

t.test('processes that die at points lose nothing; a point that is never reached is told', async t => {
  const seed = Number(process.env['FAULT_SEED'] ?? Math.floor(Math.random() * 1_000_000))
  t.comment(`FAULT_SEED=${seed}`)
  const chance = chanceOf(seed)
  const first = chance.below(ALL_POINTS.length)
  // Those that take a run of their own are left to npm run faults.
  const quick = ALL_POINTS.filter(
    // One is the control, which must not be reached.
    point =>
      point !== 'intake.committed' &&
      ['small', 'large', 'document', 'archive', 'registry', 'erase'].includes(deedOf(point))
  )
  const chosen = Array.from({ length: SHORT }, (_, i) => quick[(first + i * 11) % quick.length])
  const runs = chosen.flatMap(point => (point === undefined ? [] : [{ point, pass: 1 }]))
  const world = await startWorld()
  t.teardown(() => world.stop())
  const { missed, verdict } = await runPoints(world, chance, [
    ...runs,
    { point: 'intake.committed', pass: 1000, patience: 0.1 }
  ])
  t.comment(verdict.line)
  t.strictSame(missed, ['intake.committed'], `all of ${chosen.join(', ')} were reached`)
  t.strictSame(verdict.findings, [])
  t.ok(verdict.ok, verdict.line)
})
