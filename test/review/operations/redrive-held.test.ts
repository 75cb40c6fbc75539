import { rm } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { main } from '../../../src/cli/main.ts'
import type { Pool } from '../../../src/db/pool.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { saveMapping } from '../../../src/db/work/source-mappings.ts'
import { redriveHeld } from '../../../src/review/operations/redrive-held.ts'
import { testApi } from '../../helpers/app.ts'
import { JURISDICTION, sha } from '../../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { until } from '../../helpers/worker-process.ts'

const HEADER = 'permit_number,parcel_id,permit_type,Betrag'

/** Two rows of each source that lack an amount, since nobody has said which column holds it. */
async function held(t: Test) {
  const p = await testPipeline(t)
  t.teardown(() => rm(p.folder, { recursive: true, force: true }))
  const slots = p.work()
  const batches: string[] = []
  for (const source of ['desk', 'web']) {
    const bytes = `${HEADER}\n${source}-1,22-1,roof,10.00\n${source}-2,22-2,roof,20.00\n`
    const { id } = await p.submit([{ name: 'r.csv', bytes, type: 'text/csv' }], { source })
    await p.finished(id)
    batches.push(id)
  }
  await slots.stop()
  return { p, batches }
}

const mend = (p: TestPipeline, source: string) =>
  withTransaction(p.pool, tx =>
    saveMapping(
      tx,
      { jurisdiction: JURISDICTION, profile: 'permit', source },
      { options: { columns: { Betrag: 'project_valuation' } }, digest: sha('mended'), savedBy: 'key:clerk' }
    )
  )

async function docket(p: TestPipeline, ...args: string[]): Promise<{ status: number; out: string; told: () => Told }> {
  const lines: string[] = []
  const env = { DATABASE_URL: p.url, DOCKET_DATA: p.folder }
  const io = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line), env }
  const status = await main(['redrive', '--jurisdiction', JURISDICTION, ...args], io)
  return { status, out: lines.join('\n'), told: () => JSON.parse(lines.join('\n')) as Told }
}

interface Told {
  readonly records: number
  readonly retried: number
  readonly dry_run: boolean
  readonly ids: readonly string[]
  readonly groups: readonly { readonly code: string; readonly source: string | null; readonly records: number }[]
}

const jobsOf = async (p: TestPipeline): Promise<number> => {
  const { rows } = await p.pool.query<{ n: number }>(`select count(*)::int as n from pgboss.job where name = 'redrive'`)
  return rows[0]?.n ?? 0
}

t.test('what would run again is told without being done, and then it is done', async t => {
  const { p, batches } = await held(t)
  const before = await p.records(batches[0] ?? '')
  const preview = await docket(p, '--reason', 'FIELD_MISSING', '--json')
  t.match(preview.told(), { records: 4, dry_run: true, retried: 0, ids: { length: 4 } })
  t.strictSame(
    preview.told().groups.map(({ code, source, records }) => [code, source, records]),
    [
      ['FIELD_MISSING', 'desk', 2],
      ['FIELD_MISSING', 'web', 2]
    ]
  )
  t.equal(await jobsOf(p), 0, 'nothing was asked for')
  t.strictSame(await p.records(batches[0] ?? ''), before)
  t.match(await docket(p, '--reason', 'FIELD_MISSING'), {
    status: 0,
    out: /FIELD_MISSING +desk +under an hour +2 +0\n[\s\S]*4 records would run again; nothing was done/
  })
  for (const [args, records] of [
    [[], 0],
    [['--reason', 'ENRICH_UNAVAILABLE'], 0],
    [['--reason', 'FIELD_MISSING', '--source', 'web'], 2],
    [['--reason', 'FIELD_MISSING', '--batch', batches[0] ?? ''], 2],
    [['--reason', 'FIELD_MISSING', '--min-age', '1h'], 0],
    [['--reason', 'FIELD_MISSING', '--min-age', '0s'], 4]
  ] as const) {
    t.equal((await docket(p, ...args, '--json')).told().records, records, args.join(' '))
  }

  await mend(p, 'desk')
  t.match(await docket(p, '--reason', 'FIELD_MISSING', '--source', 'desk', '--run'), { out: /2 records run again/ })
  t.match((await docket(p, '--reason', 'FIELD_MISSING', '--json')).told().groups, [
    { source: 'desk', asked: 2 },
    { source: 'web', asked: 0 }
  ])
  p.work()
  await until(async () => (await p.records(batches[0] ?? '')).every(row => row.state === 'accepted'))
  t.ok((await p.records(batches[1] ?? '')).every(row => row.state === 'quarantined'))
  t.equal((await docket(p, '--reason', 'FIELD_MISSING', '--json')).told().records, 2)
})

t.test('the same over HTTP, within the jurisdictions of the key', async t => {
  const { p, batches } = await held(t)
  const api = await testApi(t, { on: p })
  const ask = async (body: object, authorization = `Bearer ${api.admin}`) => {
    const headers = { 'content-type': 'application/json', authorization }
    const response = await api.fetch('/v1/quarantine/redrive', { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, told: (await response.json()) as Told }
  }
  const wanted = { jurisdiction: JURISDICTION, codes: ['FIELD_MISSING'] }
  t.match(await ask(wanted), { status: 200, told: { dry_run: true, records: 4, retried: 0 } })
  t.equal(await jobsOf(p), 0)
  t.match(await ask({ ...wanted, batch_id: batches[0], dry_run: false }), { status: 200, told: { retried: 2 } })
  t.equal(await jobsOf(p), 1, 'one job for its chunk')
  const elsewhere = `Bearer ${await api.keyFor({ scopes: ['review'], jurisdictions: ['17031'] })}`
  t.equal((await ask(wanted, elsewhere)).status, 403)
  const reader = `Bearer ${await api.keyFor({ scopes: ['read'] })}`
  t.equal((await ask(wanted, reader)).status, 403)
  t.equal((await ask({ ...wanted, codes: ['NO_SUCH'] })).status, 400)
})

t.test('what is decided about while it is gone through is not counted', async t => {
  const { p } = await held(t)
  const pool: Pool = Object.assign(Object.create(p.pool) as Pool, {
    query: async (text: string, values: unknown[]) => {
      const found = await p.pool.query<{ id: string }>(text, values)
      const human = JSON.stringify({ parcel_id: { status: 'human' } })
      await p.pool.query('update record set fields = fields || $2::jsonb where id = $1', [found.rows[0]?.id, human])
      return found
    }
  })
  const filter = {
    jurisdiction: JURISDICTION,
    codes: ['FIELD_MISSING'],
    batchId: null,
    source: null,
    minAgeSeconds: null
  }
  t.strictSame(await redriveHeld({ pool, boss: p.deps.boss }, filter), { retried: 3 })
})

t.test('arguments that make no sense are refused', async t => {
  const io = { out: () => undefined, err: () => undefined, env: {} }
  for (const args of [
    [],
    ['--jurisdiction', '53033', '--reason', 'NO_SUCH'],
    ['--jurisdiction', '53033', '--min-age', 'long'],
    ['--jurisdiction', '53033', '--batch', 'x'],
    ['--jurisdiction', '53033', 'more']
  ]) {
    t.equal(await main(['redrive', ...args], io), 2, args.join(' '))
  }
})
