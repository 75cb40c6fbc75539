import { readdirSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import t from 'tap'
import { DOCX, fixture, linesOf, PDF, read, testExtractor } from './extractor-fixture.ts'

const SECONDS = 4
const MEGABYTE = 1024 * 1024

t.test('every hostile document ends as an outcome within its ceilings', async t => {
  const extractor = testExtractor(t, { memoryMb: 256, seconds: SECONDS })
  await read(extractor, 'pdf/pt01.pdf', PDF)
  const before = process.memoryUsage.rss()
  const files = readdirSync(fixture('hostile'))
  t.ok(files.length >= 11)
  for (const file of files) {
    const started = performance.now()
    const outcome = await extractor.extract(fixture(`hostile/${file}`), file.endsWith('.docx') ? DOCX : PDF)
    t.ok(performance.now() - started < (SECONDS + 5) * 1000, `${file} ends in time, the start of a process included`)
    t.equal(
      typeof outcome.ok,
      'boolean',
      `${file}: ${outcome.ok ? 'read' : `${outcome.reason} ${outcome.detail ?? ''}`}`
    )
  }
  t.ok(process.memoryUsage.rss() - before < 64 * MEGABYTE, 'the memory of this process stays its own')
  t.match(linesOf(await read(extractor, 'pdf/pt01.pdf', PDF)), ['Policy Number: HX-700131'])
})

t.test('bombs end at their ceilings', async t => {
  const extractor = testExtractor(t, { memoryMb: 256, seconds: SECONDS })
  const endless = await extractor.extract(fixture('hostile/xobject_exponential.pdf'), PDF)
  t.match(endless, { ok: false, reason: 'EXTRACTION_FAILED', detail: /^limit_(?:time|memory)$/ })
  const wide = await extractor.extract(fixture('hostile/cid_widths_bomb.pdf'), PDF)
  t.match(wide, { ok: false, reason: 'EXTRACTION_FAILED', detail: /^limit_(?:time|memory)$/ })
  const nodes = await extractor.extract(fixture('hostile/bombnodes.docx'), DOCX)
  t.match(nodes, { ok: false, reason: 'FILE_TOO_LARGE' })
})

t.test('a document type declaration is refused, an external picture is not fetched', async t => {
  const extractor = testExtractor(t)
  t.match(await extractor.extract(fixture('hostile/xxe.docx'), DOCX), { ok: false, reason: 'FILE_CORRUPT' })
  t.match(await extractor.extract(fixture('hostile/extimg.docx'), DOCX), { ok: false, reason: 'FILE_EMPTY' })
})
