import { join } from 'node:path'
import t from 'tap'
import { createExtractor } from '../../../src/extract/extractor.ts'
import { createDocumentReader } from '../../../src/pipeline/documents/document-reader.ts'
import { testPipeline } from '../../helpers/pipeline.ts'

const PROGRAM = join(import.meta.dirname, '../../fixtures/extract/programs/misbehave.ts')

t.test('documents that end their readers are held, each for its own reason, and their neighbours are read', async t => {
  const p = await testPipeline(t, { DOCKET_DOCUMENT_SECONDS: '4', DOCKET_DOCUMENT_MEMORY: '256' })
  const { document, profileFolder } = p.config
  const extractor = createExtractor({ ...document, slots: 2, tempDir: join(p.folder, 'programs'), program: PROGRAM })
  const documents = createDocumentReader({ ...p.deps, extractor, document, profileFolder })
  t.teardown(() => Promise.all([extractor.close(), documents.close()]))
  Object.assign(p.deps, { extractor, documents })
  const ways = ['good one', 'abort', 'good two', 'spin', 'good three', 'leave', 'good four']
  const files = ways.map((way, at) => ({ name: `${at}.txt`, bytes: way, type: 'text/plain' }))
  const batch = await p.submit(files, { profile: 'lease' })
  p.work()
  await p.finished(batch.id)
  const codes = (await p.records(batch.id)).map(record => record.codes.filter(code => code.startsWith('EXTRACTION_')))
  t.strictSame(codes, [[], ['EXTRACTION_MEMORY'], [], ['EXTRACTION_TIMEOUT'], [], ['EXTRACTION_CRASH'], []])
  const { rows } = await p.pool.query<{ launches: number; state: string }>(
    `select x.launches, x.outcome ->> 'reason' as state from file f
     join extraction x on x.jurisdiction = f.jurisdiction and x.sha256 = f.sha256 order by f.number`
  )
  // What was out of memory or crashed was tried twice, what was out of time once; the others once each.
  t.strictSame(
    rows.map(row => row.launches),
    [1, 2, 1, 1, 1, 2, 1]
  )
})
