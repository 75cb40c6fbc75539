import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { fixture, PDF, testExtractor } from '../extractor-fixture.ts'

t.test('documents wait for a slot, and an aborted one gives its slot back', async t => {
  const extractor = testExtractor(t, { slots: 1 })
  const controller = new AbortController()
  const endless = extractor.extract(fixture('hostile/xobject_exponential.pdf'), PDF, controller.signal)
  const next = extractor.extract(fixture('pdf/pt01.pdf'), PDF)
  controller.abort(new Error('cancelled'))
  await t.rejects(endless, { message: 'cancelled' })
  t.match(await next, { ok: true })
})

t.test('a payload that is not there is a fault of ours', async t => {
  const extractor = testExtractor(t)
  await t.rejects(extractor.extract(fixture('pdf/none.pdf'), PDF), { code: 'PAYLOAD_MISSING' })
})

t.test('closing gives documents in flight up without blaming them', async t => {
  const extractor = testExtractor(t)
  const endless = extractor.extract(fixture('hostile/xobject_exponential.pdf'), PDF)
  const failed = t.rejects(endless, { code: 'STORE_UNAVAILABLE', retryable: true })
  await extractor.close()
  await failed
})

t.test('a process that cannot be started is a fault of ours', async t => {
  const extractor = testExtractor(t, { program: fixture('programs/none.ts') })
  await t.rejects(extractor.extract(fixture('pdf/pt01.pdf'), PDF), { code: 'STORE_UNAVAILABLE' })
})

t.test('a check tells whether processes can be started, and keeps one for the next document', async t => {
  const folder = t.testdir()
  const broken = testExtractor(t, { program: fixture('programs/none.ts'), tempDir: join(folder, 'broken') })
  await t.rejects(broken.check(), { code: 'STORE_UNAVAILABLE' })
  const extractor = testExtractor(t, { program: fixture('programs/misbehave.ts'), tempDir: join(folder, 'temp') })
  await Promise.all([extractor.check(), extractor.check(), extractor.check()])
  writeFileSync(join(folder, 'document.txt'), 'good')
  t.equal(readdirSync(join(folder, 'temp')).length, 1, 'one process for the one slot')
  t.match(await extractor.extract(join(folder, 'document.txt'), 'text/plain'), { ok: true })
  await extractor.check()
  t.equal(readdirSync(join(folder, 'temp')).length, 1)
})

t.test('the least memory that can be configured is enough to read a page', async t => {
  const least = 192
  const folder = t.testdir()
  t.throws(() => loadConfig({ DOCKET_DOCUMENT_MEMORY: String(least - 1) }), { code: 'CONFIG_INVALID' })
  const { document } = loadConfig({ DOCKET_DOCUMENT_MEMORY: String(least) })
  const enough = testExtractor(t, { memoryMb: document.memoryMb, tempDir: join(folder, 'enough') })
  t.match(await enough.extract(fixture('pdf/pt01.pdf'), PDF), { ok: true })
  const short = testExtractor(t, { memoryMb: 64, tempDir: join(folder, 'short') })
  await t.rejects(short.extract(fixture('pdf/pt01.pdf'), PDF), { code: 'STORE_UNAVAILABLE' })
})
