import { readdir } from 'node:fs/promises'
import t from 'tap'
import { JURISDICTION } from '../../helpers/factory.ts'
import { testPipeline } from '../../helpers/pipeline.ts'

const OTHER = '17031'
const NAME = /^[a-z_]+$/

const csv = (prefix: string, named: string): string =>
  `permit_number,parcel_id,permit_type,applied_date,valuation,jurisdiction\n` +
  `${prefix}-1,22-1,roof,2026-11-02,8400,\n${prefix}-2,22-2,roof,2026-11-02,8400,${named}\n`

t.test('a batch, what becomes of it, its bytes and its jobs belong to one jurisdiction', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '1' })
  const submit = async (jurisdiction: string, named: string) => {
    const files = [
      { name: 'a.csv', bytes: csv(`A${jurisdiction}`, named), type: 'text/csv' },
      {
        name: 'b.json',
        bytes: JSON.stringify([
          {
            permit_number: `B${jurisdiction}`,
            parcel_id: '22-3',
            permit_type: 'roof',
            valuation: '1',
            jurisdiction: named
          }
        ]),
        type: 'application/json'
      }
    ]
    return (await p.submit(files, { jurisdiction })).id
  }
  const batches = new Map([
    [await submit(JURISDICTION, OTHER), JURISDICTION],
    [await submit(OTHER, JURISDICTION), OTHER]
  ])

  const jobs = await p.pool.query<{ group_id: string; jurisdiction: string }>(
    `select group_id, data ->> 'jurisdiction' as jurisdiction from pgboss.job where name in ('split', 'chunk')`
  )
  t.ok(jobs.rows.length >= 4, `${jobs.rows.length} jobs`)
  t.ok(
    jobs.rows.every(job => job.group_id === job.jurisdiction),
    'jobs are grouped by jurisdiction'
  )
  t.same(new Set(jobs.rows.map(job => job.group_id)), new Set(batches.values()))

  p.work()
  for (const id of batches.keys()) await p.finished(id)

  for (const [id, jurisdiction] of batches) {
    const records = await p.records(id)
    t.equal(records.length, 3)
    t.equal(records.filter(({ state }) => state === 'accepted').length, 1)
    t.ok(
      records.filter(({ state }) => state !== 'accepted').every(({ codes }) => codes.includes('JURISDICTION_MISMATCH')),
      'a row that names another jurisdiction is held where it was sent, and goes nowhere else'
    )
    const uris = await p.pool.query<{ uri: string }>('select payload_uri as uri from file where batch_id = $1', [id])
    t.ok(
      uris.rows.every(({ uri }) => uri.includes(`${jurisdiction}/`)),
      'payloads stand under their jurisdiction'
    )
  }

  // Every table that says of which batch and which jurisdiction a row is.
  const { rows: tables } = await p.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'batch_id'
     intersect select table_name from information_schema.columns where table_schema = 'public' and column_name = 'jurisdiction'
     intersect select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  )
  let seen = 0
  for (const { name } of tables) {
    if (!NAME.test(name)) throw new Error('unexpected name of a table')
    const { rows } = await p.pool.query<{ batch_id: string; jurisdiction: string }>(
      `select distinct batch_id, jurisdiction from ${name} where batch_id is not null`
    )
    seen += rows.length
    for (const row of rows) t.equal(row.jurisdiction, batches.get(row.batch_id), name)
  }
  t.ok(seen >= 6, `${seen} pairs in ${tables.length} tables`)
  const folders = await readdir(p.config.payloadFolder)
  for (const jurisdiction of batches.values()) t.ok(folders.includes(jurisdiction), folders.join())
})
