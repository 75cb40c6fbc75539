import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import t from 'tap'
import { main } from '../../../src/cli/main.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'

const NAME = 'Jane Roe'
const csv = (rows: readonly string[]): string =>
  `permit_number,parcel_id,permit_type,valuation,applicant_name\n${rows.map(row => `${row},${NAME}\n`).join('')}`

async function docket(p: TestPipeline, ...args: string[]): Promise<{ status: number; out: string }> {
  const lines: string[] = []
  const env = { DATABASE_URL: p.url, DOCKET_DATA: p.folder }
  const io = { out: (line: string) => void lines.push(line), err: () => undefined, env }
  return { status: await main(['poison', ...args], io), out: lines.join('\n') }
}

t.test('files that ended their process are told by id and digest, and nothing of what stands in them', async t => {
  const p = await testPipeline(t)
  t.teardown(() => rm(p.folder, { recursive: true, force: true }))
  t.match(await docket(p), { status: 0, out: /^No file/ })
  const bytes = csv(['A-1,1234567890,BLD,100'])
  const { id, files } = await p.submit([{ name: 'jane-roe.csv', bytes, type: 'text/csv' }])
  const well = await p.submit([{ name: 'well.csv', bytes: csv(['B-1,1234567890,BLD,100', 'B-2,1234567890,BLD,x']) }])
  // As after three launches each of which ended its worker.
  await p.pool.query('update chunk set launches = 3 where batch_id = $1', [id])
  p.work()
  await Promise.all([p.finished(id), p.finished(well.id)])

  const { status, out } = await docket(p, '--json')
  t.equal(status, 1)
  const told = JSON.parse(out) as { files: object[] }
  t.match(told.files, [
    {
      jurisdiction: JURISDICTION,
      batchId: id,
      fileId: files[0]?.id,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      mediaType: 'text/csv',
      size: Buffer.byteLength(bytes),
      codes: ['PROCESSING_CRASH'],
      records: 1,
      items: [1]
    }
  ])
  t.equal(told.files.length, 1, 'a file whose rows are merely wrong is not among them')
  t.match(told.files, [{ launches: 4 }])
  const text = await docket(p)
  t.match(text.out, /PROCESSING_CRASH/)
  for (const word of [NAME, 'jane-roe', 'A-1', '1234567890']) t.notMatch(out + text.out, word, word)
  t.match(await docket(p, '--jurisdiction', '17031'), { status: 0 })
})
