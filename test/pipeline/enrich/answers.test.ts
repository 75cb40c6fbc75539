import { createHash } from 'node:crypto'
import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { answerIn } from '../../../src/pipeline/enrich/kept-answers.ts'
import { retryBatch } from '../../../src/review/retry.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { until } from '../../helpers/worker-process.ts'

const csv =
  'permit_number,parcel_id,permit_type,applied_date,valuation\n' +
  'A-1,22-1,roof,2024-03-01,8400\n' +
  'A-2,22-2,roof,2024-03-01,8400\n' +
  'A-3,22-404,roof,2024-03-01,8400\n'

const loadParcel = (p: TestPipeline, id: string, more = {}) =>
  p.pool.query(
    `insert into registry_parcel (jurisdiction, parcel_id, zoning_code, retired)
     select $1, $2, coalesce($3::jsonb ->> 'zoning', 'R-1'), coalesce(($3::jsonb ->> 'retired')::boolean, false)`,
    [JURISDICTION, id, JSON.stringify(more)]
  )

interface Chained {
  readonly item: number
  readonly seq: number
  readonly digest: string | null
}

/** The digests of answers in the audit entries of a batch's records. */
async function chained(p: TestPipeline): Promise<Chained[]> {
  const { rows } = await p.pool.query<Chained>(
    `select r.item, e.seq, convert_from(e.entry, 'UTF8')::jsonb -> 'detail' ->> 'answers' as digest
     from record r join audit_trail e on e.jurisdiction = r.jurisdiction and e.subject_id = r.id order by 1, 2`
  )
  return rows
}

const kept = async (p: TestPipeline): Promise<{ digest: string; text: string }[]> =>
  (
    await p.pool.query<{ digest: string; text: string }>(
      `select encode(digest, 'hex') as digest, convert_from(answers, 'UTF8') as text from registry_answers order by kept_at`
    )
  ).rows

t.test('what a record was judged by is kept with it, and its digest stands in the audit trail', async t => {
  const p = await testPipeline(t)
  await loadParcel(p, '22-1')
  await loadParcel(p, '22-2', { zoning: 'C-4' })
  const { id } = await p.submit([{ name: 'e.csv', bytes: csv, type: 'text/csv' }])
  p.work()
  await p.finished(id)
  t.match(await p.records(id), [{ state: 'accepted' }, { state: 'accepted' }, { codes: ['PARCEL_NO_MATCH'] }])
  const [first, ...others] = await kept(p)
  if (!first) throw new Error('nothing was kept')
  t.same(others, [])
  t.equal(createHash('sha256').update(first.text).digest('hex'), first.digest)
  t.same(
    await chained(p),
    [1, 2, 3].map(item => ({ item, seq: 1, digest: first.digest }))
  )
  t.equal((await p.pool.query('select 1 from audit_page')).rowCount, 1, 'accepted records still share a page')
  const answerTo = (value: string) => answerIn(first.text, 'parcel', value)
  const columns = { siteAddress: null, ownerName: null, retired: false, equivalents: null }
  t.match(answerTo('22-1'), { kind: 'match', value: { parcelId: '22-1', zoningCode: 'R-1', ...columns } })
  t.match(answerTo('22-2'), { value: { parcelId: '22-2', zoningCode: 'C-4', ...columns } })
  t.match(answerTo('22-404'), { kind: 'no_match' })
  const source = { registry: 'table', as_of: '2026-11-30', from_cache: false, fetched_at: /^\d{4}-.*Z$/ }
  t.match(JSON.parse(first.text).sources, { parcel: source }, 'where they are from is told once')
  await loadParcel(p, '22-404')
  await retryBatch(p.deps, { jurisdiction: JURISDICTION, batchId: id, actor: 'key:clerk', codes: ['PARCEL_NO_MATCH'] })
  await until(async () => (await p.records(id))[2]?.state === 'accepted')
  const [, second] = await kept(p)
  t.match(await chained(p), [
    {},
    {},
    { item: 3, seq: 1, digest: first.digest },
    { item: 3, seq: 2, digest: second?.digest }
  ])
  t.not(second?.digest, first.digest)
  await t.rejects(p.pool.query(`delete from registry_answers`), { code: '42501' })
  t.equal((await verify({ pool: p.pool, store: p.deps.store, payloads: false })).ok, true)
})

t.test('without a registry nothing is kept and nothing is said', async t => {
  const p = await testPipeline(t)
  const { id } = await p.submit([{ name: 'e.csv', bytes: csv, type: 'text/csv' }])
  p.work()
  await p.finished(id)
  t.same(await kept(p), [])
  t.same(
    (await chained(p)).map(({ digest }) => digest),
    [null, null, null]
  )
})

t.test(
  'a retired parcel holds; two registries that name different districts hold with both; absence is told',
  async t => {
    const p = await testPipeline(t)
    await loadParcel(p, '22-1', { retired: true })
    await loadParcel(p, '22-2', { zoning: 'R-2' })
    await loadParcel(p, '22-3', { zoning: 'R-3' })
    await p.pool.query(
      `insert into registry_zoning (jurisdiction, parcel_id, zoning_code) values ($1, '22-1', 'R-1'), ($1, '22-2', 'C-2'), ($1, '22-3', 'R-3')`,
      [JURISDICTION]
    )
    await p.pool.query(`insert into registry_parcel (jurisdiction, parcel_id) values ($1, '22-4')`, [JURISDICTION])
    const rows = [1, 2, 3, 4].map(n => `Z-${n},22-${n},roof,2024-03-01,8400`)
    const bytes = `permit_number,parcel_id,permit_type,applied_date,valuation\n${rows.join('\n')}\n`
    const { id } = await p.submit([{ name: 'z.csv', bytes, type: 'text/csv' }])
    p.work()
    await p.finished(id)
    t.match(await p.records(id), [
      { state: 'quarantined', codes: ['PARCEL_RETIRED'] },
      {
        state: 'quarantined',
        codes: ['MULTIPLE_CANDIDATES'],
        fields: { zoning_code: { status: 'ambiguous', readings: ['C-2', 'R-2'] } }
      },
      {
        state: 'accepted',
        content: { zoning_code: 'R-3' },
        fields: { zoning_code: { origin: { registry: 'zoning' } } }
      },
      { state: 'quarantined', codes: ['ZONING_NO_MATCH'] }
    ])
    await p.pool.query('delete from registry_zoning')
    await until(async () => !(await p.deps.sources(JURISDICTION)).has('zoning'))
    const again = await p.submit([{ name: 'y.csv', bytes: bytes.replaceAll('Z-', 'Y-'), type: 'text/csv' }])
    await p.finished(again.id)
    t.match((await p.records(again.id))[3], {
      state: 'accepted',
      fields: { zoning_code: { origin: { registry: 'parcel', key: '22-4' } } }
    })
  }
)

t.test('a lease names a property that the registry has', async t => {
  const p = await testPipeline(t)
  await p.pool.query(
    `insert into registry_property (jurisdiction, property_id, address) values ($1, 'P-1', '12 Elm Street, Springfield')`,
    [JURISDICTION]
  )
  const head = 'tenant_name,lease_start,lease_end,base_rent,property_id,property_address'
  const line = (id: string, address: string): string => `Ann Bell,2024-01-01,2026-12-31,1250.00,${id},"${address}"`
  const bytes = `${head}\n${line('P-1', '12 Elm St, Springfield')}\n${line('P-9', '12 Elm St, Springfield')}\n${line('P-1', '99 Oak Ave, Springfield')}\n`
  const { id } = await p.submit([{ name: 'l.csv', bytes, type: 'text/csv' }], { profile: 'lease' })
  p.work()
  await p.finished(id)
  const records = await p.records(id)
  t.notMatch(records[0]?.codes ?? [], ['ADDRESS_DIFFERS'])
  t.ok(records[1]?.codes.includes('PROPERTY_NO_MATCH'))
  t.ok(records[2]?.codes.includes('ADDRESS_DIFFERS'))
})
