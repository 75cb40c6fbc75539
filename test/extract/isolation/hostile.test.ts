import { readdirSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import t from 'tap'
import type { ExtractOutcome } from '../../../src/extract/answer.ts'
import { DOCX, fixture, linesOf, PDF, read, testExtractor } from '../extractor-fixture.ts'

const SECONDS = 3
// A process is started anew after each of these files; on a busy machine that is most of the time.
const START_SECONDS = 10
const MEGABYTE = 1024 * 1024

t.test('every hostile document ends as an outcome within its ceilings', async t => {
  const extractor = testExtractor(t, { memoryMb: 192, seconds: SECONDS })
  await read(extractor, 'pdf/pt01.pdf', PDF)
  const before = process.memoryUsage.rss()
  const outcomes = new Map<string, ExtractOutcome>()
  for (const file of readdirSync(fixture('hostile'))) {
    const started = performance.now()
    const outcome = await extractor.extract(fixture(`hostile/${file}`), file.endsWith('.docx') ? DOCX : PDF)
    const seconds = (performance.now() - started) / 1000
    t.ok(seconds < SECONDS + 1 + START_SECONDS, `${file} ends in time`)
    outcomes.set(file, outcome)
  }
  t.equal(outcomes.size, 11)
  t.ok(process.memoryUsage.rss() - before < 64 * MEGABYTE, 'the memory of this process stays its own')
  t.match(linesOf(await read(extractor, 'pdf/pt01.pdf', PDF)), ['Policy Number: HX-700131'], 'a good document follows')

  const limit = { ok: false, reason: /^EXTRACTION_(?:TIMEOUT|MEMORY)$/, detail: /^limit_(?:time|memory)$/ }
  for (const bomb of ['xobject_exponential', 'cid_widths_bomb', 'bomb_double_flate', 'bomb_longstring_200m']) {
    t.match(outcomes.get(`${bomb}.pdf`), limit, bomb)
  }
  t.match(outcomes.get('kids_cycle.pdf'), { ok: false, reason: 'FILE_CORRUPT' })
  t.match(outcomes.get('bombnodes.docx'), {
    ok: false,
    reason: /^(?:FILE_TOO_LARGE|EXTRACTION_(?:FAILED|MEMORY|TIMEOUT))$/
  })
  t.match(outcomes.get('xxe.docx'), { ok: false, reason: 'FILE_CORRUPT' }, 'a document type is refused')
  t.match(outcomes.get('extimg.docx'), { ok: false }, 'a picture elsewhere is not fetched')
})
