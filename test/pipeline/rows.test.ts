import t from 'tap'
import { testPipeline } from '../helpers/pipeline.ts'

const HEADER = 'permit_number,parcel_id,permit_type,address,applicant,issued_date,status,valuation'
const row = (n: number, overrides: Record<string, string> = {}): string => {
  const cells = {
    permit_number: `BP-${String(n).padStart(5, '0')}`,
    parcel_id: `22-${n}`,
    permit_type: 'roof',
    address: `${n} Elm St`,
    applicant: 'Ida Novak',
    issued_date: '2024-02-06',
    status: 'issued',
    valuation: '8400',
    ...overrides
  }
  return Object.values(cells).join(',')
}
const csv = (rows: readonly string[]): string => `${[HEADER, ...rows].join('\n')}\n`

t.test('a small file is split at intake, worked and completed; every row is accounted for', async t => {
  const p = await testPipeline(t)
  p.work()
  const rows = [row(1), row(2, { issued_date: '2024-02-30' }), row(3, { parcel_id: '' }), row(4), row(1)]
  const { id } = await p.submit([{ name: 'permits.csv', bytes: csv(rows), type: 'text/csv' }])
  await p.finished(id)
  t.match(await p.records(id), [
    { item: 1, line: 2, state: 'accepted', content: { submission_id: 'BP-00001', project_valuation: '8400.00' } },
    { item: 2, line: 3, state: 'quarantined', codes: ['INVALID_DATE'] },
    { item: 3, line: 4, state: 'quarantined', codes: ['FIELD_MISSING'] },
    { item: 4, line: 5, state: 'accepted' },
    { item: 5, line: 6, state: 'accepted', duplicate_of: /./ }
  ])
  t.match(
    (await p.pool.query('select state, accepted, duplicate, quarantined, rejected, record_count from chunk')).rows,
    [{ state: 'committed', accepted: 2, duplicate: 1, quarantined: 2, rejected: 0, record_count: 5 }]
  )
})

t.test('a large file is split by a job, in chunks, with what its whole columns prove', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '500' })
  p.work()
  // Only the very last row proves that days come first; the rows before it are read by it all the same.
  const rows = Array.from({ length: 6000 }, (_, i) => row(i + 1, { issued_date: '03/04/2024' }))
  rows.push(row(6001, { issued_date: '17/04/2024' }))
  const bytes = csv(rows)
  t.ok(bytes.length > 256_000, 'too large for intake')
  const { id } = await p.submit([{ name: 'permits.csv', bytes, type: 'text/csv' }])
  await p.finished(id)
  const { rows: counted } = await p.pool.query(
    `select state, count(*)::int as n, min(coalesce(c.content ->> 'issued_date', '')) as first, max(c.content ->> 'issued_date') as last
     from record r left join canonical_record c using (jurisdiction, profile, natural_key, version) group by state`
  )
  t.same(counted, [{ state: 'accepted', n: 6001, first: '2024-04-03', last: '2024-04-17' }])
  t.match((await p.pool.query('select count(*)::int as n, sum(record_count)::int as records from chunk')).rows, [
    { n: 13, records: 6001 }
  ])
})

t.test('more chunks than the window are all worked, a few at a time', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '10' })
  const rows = Array.from({ length: 900 }, (_, i) => row(i + 1))
  const { id } = await p.submit([{ name: 'permits.csv', bytes: csv(rows), type: 'text/csv' }])
  const { rows: queued } = await p.pool.query(`select count(*)::int as n from pgboss.job where name = 'chunk'`)
  t.equal(queued[0]?.n, 64, 'only a window is queued')
  p.work()
  await p.finished(id)
  const { rows: done } = await p.pool.query(`select count(*)::int as n from record where state = 'accepted'`)
  t.equal(done[0]?.n, 900)
})

t.test('JSON, NDJSON and an object with records give the same records', async t => {
  const p = await testPipeline(t)
  p.work()
  const one = (n: number) => ({
    permit_number: `JP-${n}`,
    parcel_id: `55-${n}`,
    permit_type: 'roof',
    valuation: '1500.00',
    issued_date: '2024-04-02'
  })
  const files = [
    { name: 'a.json', bytes: JSON.stringify([one(1), one(2)]), type: 'application/json' },
    {
      name: 'b.ndjson',
      bytes: `${JSON.stringify(one(3))}\r\n\r\n${JSON.stringify(one(4))}`,
      type: 'application/x-ndjson'
    },
    { name: 'c.json', bytes: JSON.stringify({ records: [one(5)] }), type: 'application/json' },
    { name: 'd.json', bytes: JSON.stringify(one(6)), type: 'application/json' }
  ]
  const { id } = await p.submit(files)
  await p.finished(id)
  const records = await p.records(id)
  t.same(
    records.map(record => [record.state, record.content?.['submission_id']]),
    [1, 2, 3, 4, 5, 6].map(n => ['accepted', `JP-${n}`])
  )
})

t.test('a file that cannot be split, an empty one and one without rows are one record each', async t => {
  const p = await testPipeline(t)
  p.work()
  const { id } = await p.submit([
    { name: 'empty.csv', bytes: '', type: 'text/csv' },
    { name: 'header.csv', bytes: `${HEADER}\n`, type: 'text/csv' },
    { name: 'broken.json', bytes: 'this is no json', type: 'application/json' },
    { name: 'program.exe', bytes: Buffer.from('4d5a90000300000004000000ffff0000', 'hex') }
  ])
  await p.finished(id)
  const records = await p.records(id)
  t.ok(records.every(record => record.state !== 'accepted' && record.codes.length === 1))
  const ofFile = async (name: string) =>
    (
      await p.pool.query(
        `select r.item, r.state, r.reasons -> 0 ->> 'code' as code from record r join file f on f.id = r.file_id where f.filename = $1`,
        [name]
      )
    ).rows
  t.same(await ofFile('empty.csv'), [{ item: 0, state: 'rejected', code: 'FILE_EMPTY' }])
  t.same(await ofFile('header.csv'), [{ item: 0, state: 'rejected', code: 'FILE_EMPTY' }])
  t.same(await ofFile('program.exe'), [{ item: 0, state: 'rejected', code: 'FILE_TYPE_UNSUPPORTED' }])
  t.match((await ofFile('broken.json'))[0], { state: 'quarantined', code: 'JSON_INVALID' })
})

t.test('content A, then B, then A again for one number in three batches: the head is A, in three versions', async t => {
  const p = await testPipeline(t)
  p.work()
  for (const valuation of ['100', '200', '100']) {
    const { id } = await p.submit([{ name: 'x.csv', bytes: csv([row(1, { valuation })]), type: 'text/csv' }], {
      force: true
    })
    await p.finished(id)
  }
  const { rows } = await p.pool.query(
    `select h.version, h.last_version, c.content ->> 'project_valuation' as valuation
     from current_version h join canonical_record c using (jurisdiction, profile, natural_key, version)`
  )
  t.same(rows, [{ version: 3, last_version: 3, valuation: '100.00' }])
})
