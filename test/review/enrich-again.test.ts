import t from 'tap'
import { readAnswers } from '../../src/db/registries/answers.ts'
import { correctRecord, releaseRecord } from '../../src/review/decide.ts'
import { JURISDICTION } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'

const BRACKETS = [{ over: '0', upTo: null, base: '50.00', rate: '1.00', unit: '1000' }]
const HEADER = 'permit_number,parcel_id,permit_type,applied_date,valuation,issued_date\n'

async function loaded(p: TestPipeline): Promise<void> {
  await p.pool.query(
    `insert into registry_parcel (jurisdiction, parcel_id, zoning_code) values ($1, '22-1', 'R-1'), ($1, '22-2', 'C-2')`,
    [JURISDICTION]
  )
  await p.pool.query(
    `insert into registry_fee_schedule (jurisdiction, id, effective_from, brackets) values ($1, 'FS', '2020-01-01', $2)`,
    [JURISDICTION, JSON.stringify(BRACKETS)]
  )
}

async function held(p: TestPipeline, row: string) {
  p.work()
  const { id } = await p.submit([{ name: 'e.csv', bytes: `${HEADER}${row}\n`, type: 'text/csv' }])
  await p.finished(id)
  const [record] = await p.records(id)
  if (!record) throw new Error('no record')
  const now = async () => {
    const found = await p.records(id)
    const version = await p.pool.query<{ content: Record<string, unknown> }>(
      `select v.content from canonical_record v join record r on r.jurisdiction = v.jurisdiction and r.profile = v.profile
         and r.natural_key = v.natural_key and r.version = v.version where r.id = $1`,
      [record.id]
    )
    const [first] = found
    return { ...first, content: version.rows[0]?.content ?? first?.content }
  }
  const target = (revision: number) => ({
    jurisdiction: JURISDICTION,
    recordId: record.id,
    revision,
    actor: 'key:clerk'
  })
  return { record, now, target }
}

t.test('what was told of other values does not stay in a record that is corrected', async t => {
  const p = await testPipeline(t)
  await loaded(p)
  // Held for its date alone; zoning and fee are those of the first parcel and valuation.
  const { record, now, target } = await held(p, 'E-1,22-1,roof,2024-03-01,8400,2024-02-31')
  t.match(record, { state: 'quarantined', content: { zoning_code: 'R-1', fee_cents: 5900 } })
  await correctRecord(p.deps, target(1), { parcel_id: '22-2' })
  t.match(await now(), { state: 'quarantined', content: { zoning_code: 'C-2', fee_cents: 5900 } })
  await releaseRecord(p.deps, target(2), { project_valuation: '20000', issued_date: '2024-02-29' })
  const { rows } = await p.pool.query<{ digest: string }>(
    `select convert_from(entry, 'UTF8')::jsonb -> 'detail' ->> 'answers' as digest from audit_entry where subject_id = $1 order by seq`,
    [record.id]
  )
  const digest = rows.at(-1)?.digest ?? ''
  t.match(await readAnswers(p.pool, JURISDICTION, record.id, digest), /"C-2"/, 'what was answered is kept')
  t.match(await now(), {
    state: 'accepted',
    content: { parcel_id: '22-2', zoning_code: 'C-2', fee_cents: 7000, fee_lines: [{ amount: '70.00' }] }
  })
})

t.test('a parcel that a person enters is looked up, and what the registry says against it is told', async t => {
  const p = await testPipeline(t)
  await loaded(p)
  const { record, now, target } = await held(p, 'E-2,22-9,roof,2024-03-01,8400,')
  t.same(record.codes, ['PARCEL_NO_MATCH'])
  await t.rejects(releaseRecord(p.deps, target(1), {}), { message: /PARCEL_NO_MATCH/ })
  await correctRecord(p.deps, target(1), { parcel_id: '22-1' })
  t.match(await now(), { codes: [], content: { zoning_code: 'R-1' } })
  // A new parcel, which the registry does not have yet: the person's word holds, with a warning.
  await releaseRecord(p.deps, target(2), { parcel_id: '22-8' })
  const released = await now()
  t.match(released, { state: 'accepted', codes: ['PARCEL_NO_MATCH'], content: { parcel_id: '22-8' } })
  t.notOk(released.content?.['zoning_code'], 'nothing is known of its zoning')
})

t.test('a fee that cannot be told holds a record whatever a person enters, until it can', async t => {
  const p = await testPipeline(t)
  await loaded(p)
  const { record, now, target } = await held(p, 'E-3,22-1,roof,2019-03-01,8400,')
  t.same(record.codes, ['FEE_SCHEDULE_MISSING'])
  await t.rejects(releaseRecord(p.deps, target(1), { permit_type_code: 'pool' }), { message: /FEE_SCHEDULE_MISSING/ })
  await releaseRecord(p.deps, target(1), { applied_date: '2024-03-01' })
  t.match(await now(), { state: 'accepted', codes: [], content: { fee_cents: 5900 } })
})

t.test('what registries told that are no longer configured does not stay with other values', async t => {
  const p = await testPipeline(t)
  await loaded(p)
  const { record, now, target } = await held(p, 'E-4,22-1,roof,2024-03-01,8400,2024-02-31')
  t.match(record, { state: 'quarantined', content: { zoning_code: 'R-1', fee_cents: 5900 } })
  const without = { ...p.deps, sources: () => Promise.resolve(new Map()) }
  await releaseRecord(without, target(1), { parcel_id: '22-2', issued_date: '2024-02-29' })
  const released = await now()
  t.match(released, { state: 'accepted', content: { parcel_id: '22-2' } })
  for (const field of ['zoning_code', 'fee_cents', 'fee_lines', 'fee_schedule_id'])
    t.notOk(Object.hasOwn(released.content ?? {}, field), field)
})
