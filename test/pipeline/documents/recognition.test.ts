import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import Pdf from 'pdfkit'
import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import type { DocumentReader } from '../../../src/pipeline/documents/document-reader.ts'
import { sweepResults } from '../../../src/pipeline/documents/sweep-results.ts'
import { reconcile } from '../../../src/worker/maintenance/reconcile.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'

const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/ocr/${name}`, import.meta.url)))

async function submit(p: TestPipeline, name: string, profile = 'policy'): Promise<string> {
  const { id } = await p.submit([{ name, bytes: fixture(name) }], { profile, force: true })
  return id
}

async function jobs(p: TestPipeline): Promise<Record<string, number>> {
  const { rows } = await p.pool.query<{ name: string; jobs: number }>(
    'select name, count(*)::int as jobs from pgboss.job group by name'
  )
  return Object.fromEntries(rows.map(row => [row.name, row.jobs]))
}

const extractions = async (p: TestPipeline) =>
  (
    await p.pool.query<{ extractor: string; launches: number; finished: boolean }>(
      'select extractor, launches, finished_at is not null as finished from extraction order by extractor like $1',
      ['%tesseract%']
    )
  ).rows

/** A policy as text, and behind it scanned pages on which only their numbers stand as text. */
async function policyOf(scans: number): Promise<Buffer> {
  const pdf = new Pdf({ size: 'LETTER' })
  const rows = ['Policy Number: HX-700131', 'Named Insured: Wrenfield Bakery LLC', 'Total Premium: $1,250.00']
  for (const row of [...rows, 'Effective Date: 2024-05-01', 'Expiration Date: 2025-05-01']) pdf.text(row).moveDown()
  for (let at = 1; at <= scans; at += 1) {
    pdf.addPage().image(fixture('plain.png'), 0, 0, { width: 612, height: 792 })
    pdf.text(`Page ${at + 1}`, 250, 700)
  }
  pdf.end()
  return buffer(pdf)
}

t.test('a document with a scanned page goes through the queue of its own, and its pages are read once', async t => {
  const p = await testPipeline(t)
  const first = await submit(p, 'scans/mixed.pdf')
  p.work()
  await p.finished(first)
  t.match(await jobs(p), { document: 1, ocr: 1 })
  const [record] = await p.records(first)
  t.match(record?.content, {
    policy_number: 'HX-150901',
    named_insured: 'Millpond Veterinary',
    effective_date: '2024-06-10',
    expiration_date: '2025-06-10',
    premium_total: '2468.00'
  })
  const kept = await extractions(p)
  t.match(kept, [
    { launches: 1, finished: true },
    { launches: 1, finished: true, extractor: /tesseract-wasm@/ }
  ])
  const second = await submit(p, 'scans/mixed.pdf')
  await p.finished(second)
  t.same(await extractions(p), kept, 'nothing was read again')
  await p.pool.query(`update extraction set finished_at = finished_at - interval '400 days', launched_at = null`)
  t.equal(await sweepResults(p.deps), 0, 'what was read and what was recognised by this version stay')
  t.equal(await sweepResults({ ...p.deps, recognised: { version: 'another engine' } }), 1, 'until the engine changes')
  t.equal((await verify(p)).ok, true)
})

t.test('a picture is read as a document, and a doubtful scan is held', async t => {
  const p = await testPipeline(t)
  const ids = [await submit(p, 'fax4.tiff'), await submit(p, 'plain.png'), await submit(p, 'scans/coarse.pdf')]
  p.work()
  for (const id of ids) await p.finished(id)
  for (const id of ids.slice(0, 2)) {
    const [record] = await p.records(id)
    t.match(record?.content, { policy_number: 'HX-150901', premium_total: '2468.00' })
  }
  const [coarse] = await p.records(ids[2] ?? '')
  t.equal(coarse?.state, 'quarantined')
})

t.test('where recognition fails, what stands as text is kept and the record is held', async t => {
  const p = await testPipeline(t)
  const failing: DocumentReader = {
    version: 'failing',
    read: async () => ({ ok: false, reason: 'EXTRACTION_FAILED', detail: 'limit_time' }),
    close: async () => {}
  }
  Object.assign(p.deps, { recognised: failing })
  const id = await submit(p, 'scans/mixed.pdf')
  p.work()
  await p.finished(id)
  const [record] = await p.records(id)
  t.equal(record?.state, 'quarantined')
  t.ok(record?.codes.includes('PAGE_ILLEGIBLE'), String(record?.codes))
  t.match(record?.content, { policy_number: 'HX-150901' })
})

t.test('without an engine pages without text stay unread, as the record says', async t => {
  const p = await testPipeline(t, { DOCKET_OCR_ENGINE: 'none' })
  const ids = [await submit(p, 'scans/mixed.pdf'), await submit(p, 'plain.png')]
  p.work()
  for (const id of ids) await p.finished(id)
  t.notOk((await jobs(p))['ocr'])
  t.match(await p.records(ids[0] ?? ''), [{ state: 'quarantined', codes: ['PAGE_ILLEGIBLE', 'FIELD_MISSING'] }])
  t.match(await p.records(ids[1] ?? ''), [{ state: 'quarantined', codes: ['NO_TEXT_LAYER'] }])
})

t.test('without an engine a scanned page under a stamp holds the document that it stands in', async t => {
  const p = await testPipeline(t, { DOCKET_OCR_ENGINE: 'none' })
  const { id: plain } = await p.submit([{ name: 'plain.pdf', bytes: await policyOf(0) }], { profile: 'policy' })
  const { id } = await p.submit([{ name: 'stamped.pdf', bytes: await policyOf(1) }], { profile: 'policy' })
  p.work()
  await p.finished(plain)
  await p.finished(id)
  t.match(await p.records(plain), [{ state: 'accepted', codes: [] }])
  t.match(await p.records(id), [
    { state: 'quarantined', codes: ['PAGE_ILLEGIBLE'], content: { policy_number: 'HX-700131' } }
  ])
})

t.test('a scanned page under a stamp that is one too many holds its document', async t => {
  const p = await testPipeline(t, { DOCKET_OCR_PAGES: '1' })
  const { id } = await p.submit([{ name: 'stamped.pdf', bytes: await policyOf(2) }], { profile: 'policy' })
  p.work()
  await p.finished(id)
  const [record] = await p.records(id)
  t.equal(record?.state, 'quarantined')
  t.ok(record?.codes.includes('PAGE_ILLEGIBLE'), String(record?.codes))
})

t.test('a document that waits to be recognised has its job: the reconciler makes no other', async t => {
  const p = await testPipeline(t)
  const id = await submit(p, 'scans/mixed.pdf')
  const work = p.work()
  for (;;) {
    if ((await jobs(p))['ocr']) break
    await new Promise(resolve => setImmediate(resolve))
  }
  t.equal(await reconcile(p.deps), 0)
  await p.finished(id)
  await work.stop()
})
