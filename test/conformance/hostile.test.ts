import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { mediaTypeOf, outcomeOf } from './case-files.ts'
import { type Deployment, testDeployment } from './deployment.ts'
import { judge } from './judge.ts'

/** The files the extractor's own test reads; here they go the whole way. */
const FOLDER = join(import.meta.dirname, '../fixtures/extract/hostile')
const FILES = 11
const SECONDS = 5
/** Ceilings end a document; what a busy machine adds to them is not the document's doing. */
const SLACK_SECONDS = 30

async function submit(deployment: Deployment, file: string): Promise<Response> {
  const body = new FormData()
  body.set('profile', file.endsWith('.docx') ? 'lease' : 'policy')
  body.set('jurisdiction', '53033')
  body.append('file', new Blob([await readFile(join(FOLDER, file))], { type: mediaTypeOf(file) }), file)
  return deployment.api.fetch('/v1/batches', { method: 'POST', body })
}

t.test('every hostile file is held or rejected within its ceilings, and the next one is served', async t => {
  const deployment = await testDeployment(t, {
    DOCKET_DOCUMENT_MEMORY: '192',
    DOCKET_DOCUMENT_SECONDS: String(SECONDS)
  })
  const files = await readdir(FOLDER)
  t.equal(files.length, FILES)
  await Promise.all(
    files.map(async file => {
      const outcome = await outcomeOf(deployment, await submit(deployment, file))
      t.strictSame(
        judge({ http: [202], counts: { total: 1 }, every: { state_any: ['quarantined', 'rejected'] } }, outcome),
        [],
        file
      )
      t.equal((await deployment.api.fetch('/healthz')).status, 200)
    })
  )
  const { rows } = await deployment.api.pool.query<{ seconds: number; launches: number }>(
    `select (stage_ms ->> 'extract')::float / 1000 as seconds, launches from chunk`
  )
  t.equal(rows.length, FILES)
  for (const { seconds, launches } of rows) {
    t.ok(seconds < SECONDS + SLACK_SECONDS, `${seconds} s`)
    t.equal(launches, 1, 'no file brought its worker down')
  }
})
