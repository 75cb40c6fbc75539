import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { commandFor, machineIsolation, probeIsolation } from '../../../src/extract/isolation.ts'
import { fixture, testExtractor } from '../extractor-fixture.ts'
import { childrenOf, isRunning } from './processes.ts'

const TEXT = 'text/plain'

function documentOf(folder: string, content: string): string {
  const path = join(folder, 'document')
  writeFileSync(path, content)
  return path
}

t.test('a process that misbehaves is an outcome, and the next document is read', async t => {
  const folder = t.testdir()
  const program = fixture('programs/misbehave.ts')
  const extractor = testExtractor(t, { program, memoryMb: 128, seconds: 2, tempDir: join(folder, 'temp') })
  const ways = [
    ['spin', 'EXTRACTION_TIMEOUT', 'limit_time'],
    ['flood', 'EXTRACTION_CRASH', 'crashed'],
    ['lie', 'EXTRACTION_CRASH', 'crashed'],
    ['rubbish', 'EXTRACTION_CRASH', 'crashed'],
    ['leave', 'EXTRACTION_CRASH', 'crashed']
  ] as const
  for (const [way, reason, detail] of ways) {
    const outcome = await extractor.extract(documentOf(folder, way), TEXT)
    t.strictSame(outcome, { ok: false, reason, detail }, way)
    t.match(await extractor.extract(documentOf(folder, 'good'), TEXT), { ok: true }, `a good document after ${way}`)
  }
})

t.test('memory is limited inside and outside the heap', async t => {
  const folder = t.testdir()
  const program = fixture('programs/misbehave.ts')
  const extractor = testExtractor(t, { program, memoryMb: 128, seconds: 20, tempDir: join(folder, 'temp') })
  const heap = await extractor.extract(documentOf(folder, 'heap'), TEXT)
  t.strictSame(heap, { ok: false, reason: 'EXTRACTION_MEMORY', detail: 'limit_memory' })
  // An allocation that is refused is thrown at the program, which here ends by it.
  const buffers = await extractor.extract(documentOf(folder, 'buffers'), TEXT)
  t.match(buffers, { ok: false, reason: /^EXTRACTION_(?:MEMORY|CRASH)$/, detail: /^(?:limit_memory|crashed)$/ })
})

t.test('a process that was taken over can reach nothing', async t => {
  const folder = t.testdir()
  process.env['DOCKET_TEST_SECRET'] = 'a secret of the parent'
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  let calls = 0
  server.on('connection', () => {
    calls += 1
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const tempDir = join(folder, 'temp')
  const extractor = testExtractor(t, { program: fixture('programs/escape.ts'), tempDir })
  const outcome = await extractor.extract(documentOf(folder, `${port}`), TEXT)
  const hasNetwork = extractor.isolation.missing.includes('unshare')
  t.match(outcome, { ok: false, detail: hasNetwork ? 'connect' : 'nothing' })
  t.equal(calls, hasNetwork ? 1 : 0)
})

t.test('no process outlives its parent', async t => {
  const folder = t.testdir()
  const tempDir = join(folder, 'temp')
  const document = documentOf(folder, 'spin')
  writeFileSync(`${document}.good`, 'good')
  const args = [fixture('programs/parent.ts'), tempDir, fixture('programs/misbehave.ts'), document]
  const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(parent.stdout, 'data')
  const children = childrenOf(parent.pid ?? 0)
  t.equal(children.length, 2)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  // The kernel's signal needs a moment; without setpriv the spinning one ends at its CPU limit only.
  const deadline = Date.now() + 10_000
  const left = (): number[] => children.filter(pid => isRunning(pid))
  while (left().length > 0 && Date.now() < deadline) await wait(20)
  t.equal(left().length, machineIsolation().missing.includes('setpriv') ? 1 : 0)
  for (const pid of left()) process.kill(pid, 'SIGKILL')
})

t.test('a machine without the wrapping commands says that isolation is degraded', t => {
  const isolation = probeIsolation(command => command[0] === 'prlimit')
  t.match(isolation, { level: 'degraded', missing: ['setpriv', 'unshare'] })
  const limits = { memoryMb: 100, cpuSeconds: 7 }
  const command = commandFor(isolation, limits, { file: '/program.ts', folder: '/own' })
  t.equal(command[0], 'prlimit')
  t.ok(command.includes('--cpu=7:9'))
  t.ok(command.includes('--permission'))
  t.ok(command.includes('--allow-fs-read=/own'))
  t.equal(command.at(-1), '/program.ts')
  t.end()
})
