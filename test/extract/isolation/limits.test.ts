import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ExtractionProcess } from '../../../src/extract/extraction-process.ts'
import { machineIsolation } from '../../../src/extract/isolation.ts'
import { fixture, testExtractor } from '../extractor-fixture.ts'
import { childrenOf, limitsOf, memoryOf, processes } from './processes.ts'

const TEXT = 'text/plain'
const MEGABYTE = 1024 * 1024
/** Of Node's own program, which all processes share. */
const PROGRAM_MB = 64

function documentOf(folder: string, content: string): string {
  const path = join(folder, content.replaceAll(' ', '-'))
  writeFileSync(path, content)
  return path
}

const start = (tempDir: string, cpuSeconds: number): Promise<ExtractionProcess> =>
  ExtractionProcess.start({
    isolation: machineIsolation(),
    limits: { memoryMb: 128, cpuSeconds },
    tempDir,
    program: fixture('programs/misbehave.ts')
  })

t.test(
  'the kernel holds a process to its ceilings',
  { skip: machineIsolation().missing.includes('prlimit') },
  async t => {
    const child = await start(t.testdir(), 7)
    t.teardown(() => child.end())
    const [pid = 0] = childrenOf(process.pid)
    const limits = limitsOf(pid)
    // V8 reserves 512 MB at its start that count whether used or not.
    t.equal(limits.get('Max data size'), String((128 + 512) * MEGABYTE))
    t.equal(limits.get('Max cpu time'), '7')
    t.equal(limits.get('Max file size'), '0')
    t.equal(limits.get('Max core file size'), '0')
    t.equal(limits.get('Max open files'), '64')
    t.not(limitsOf(process.pid).get('Max open files'), '64', 'this process has other limits')
  }
)

t.test('a process that spins ends by the kernel, even if nobody waits for it', async t => {
  const folder = t.testdir()
  const child = await start(folder, 1)
  t.teardown(() => child.end())
  const reply = await child.ask(documentOf(folder, 'spin'), { mediaType: TEXT }, { seconds: 60 })
  t.same(reply, { ended: 'limit_cpu' })
})

t.test('at the wall limit the whole group of a process ends', async t => {
  const folder = t.testdir()
  const child = await start(folder, 60)
  t.teardown(() => child.end())
  const [group = 0] = childrenOf(process.pid)
  const inGroup = (): number => processes().filter(found => found.group === group).length
  t.ok(inGroup() >= 1, 'it leads a group of its own')
  const reply = await child.ask(documentOf(folder, 'spin'), { mediaType: TEXT }, { seconds: 1 })
  t.same(reply, { ended: 'limit_time' })
  t.equal(inGroup(), 0)
})

t.test('a process is replaced after fifty documents, and when it has kept half its memory', async t => {
  const folder = t.testdir()
  const options = { program: fixture('programs/hold.ts'), memoryMb: 256, tempDir: join(folder, 'temp') }
  const extractor = testExtractor(t, options)
  const small = documentOf(folder, '0')
  const pids = new Set<number>()
  const read = async (path: string): Promise<number> => {
    t.match(await extractor.extract(path, TEXT), { ok: true })
    // The one that has ended is gone before the answer; its successor has been started.
    const [pid = 0] = childrenOf(process.pid)
    pids.add(pid)
    return pid
  }
  for (let documents = 1; documents <= 49; documents++) await read(small)
  t.equal(pids.size, 1, 'one process for 49 documents')
  await read(small)
  await read(small)
  t.equal(pids.size, 2, 'another one from the 51st on')
  const before = await read(small)
  t.equal(await read(documentOf(folder, '20')), before, 'a process that has grown a little goes on')
  const grown = await read(documentOf(folder, '150'))
  t.not(grown, before, 'one that has kept half of its ceiling does not')
})

t.test('the processes of all slots together stay below slots times ceiling', async t => {
  const folder = t.testdir()
  const slots = 2
  const memoryMb = 192
  const program = fixture('programs/misbehave.ts')
  const extractor = testExtractor(t, { program, memoryMb, slots, seconds: 30, tempDir: join(folder, 'temp') })
  let largest = 0
  let together = 0
  const watch = setInterval(() => {
    const memories = childrenOf(process.pid).map(memoryOf)
    largest = Math.max(largest, ...memories.map(({ peak }) => peak))
    const sum = memories.reduce((total, { own }) => total + own, 0)
    together = Math.max(together, sum)
  }, 10)
  t.teardown(() => clearInterval(watch))
  const before = process.memoryUsage.rss()
  const ways = ['heap', 'buffers', 'heap 2', 'buffers 2']
  const outcomes = await Promise.all(ways.map(way => extractor.extract(documentOf(folder, way), TEXT)))
  for (const [index, outcome] of outcomes.entries()) t.match(outcome, { ok: false }, `${ways[index]} is an outcome`)
  t.comment(`${Math.round(largest)} of ${memoryMb} MB, together ${Math.round(together)} of ${slots * memoryMb} MB`)
  t.ok(largest > memoryMb / 2, 'they did fill their memory')
  t.ok(largest <= memoryMb + PROGRAM_MB, `the largest took ${Math.round(largest)} MB`)
  t.ok(together <= slots * memoryMb, `together they took ${Math.round(together)} MB`)
  t.ok(process.memoryUsage.rss() - before < 64 * MEGABYTE, 'this process takes no part of it')
})
