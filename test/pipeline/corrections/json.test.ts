import t, { type Test } from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { fates, send } from './round-trip.ts'

type Row = Readonly<Record<string, unknown>>

const ROWS: readonly Row[] = [
  { permit_number: 'J-1', parcel_id: '22-1', permit_type: 'roof', issued_date: '2024-02-30', valuation: 1.5 },
  {
    permit_number: 'J-2',
    parcel_id: '22-2',
    permit_type: 'roof',
    issued_date: '2024-02-30',
    valuation: 2,
    note: "'=kept"
  },
  { permit_number: 'J-3', parcel_id: '22-3', permit_type: 'roof', issued_date: '2024-02-01', valuation: 3 }
]

/** The ways in which JSON holds many records. */
const FORMS: Readonly<Record<string, (rows: readonly Row[]) => { name: string; bytes: string; type: string }>> = {
  array: rows => ({ name: 'a.json', bytes: JSON.stringify(rows, null, 1), type: 'application/json' }),
  'array under a name': rows => ({
    name: 'b.json',
    bytes: JSON.stringify({ records: rows }),
    type: 'application/json'
  }),
  lines: rows => ({
    name: 'c.ndjson',
    bytes: rows.map(row => `${JSON.stringify(row)}\n`).join(''),
    type: 'application/x-ndjson'
  })
}

async function isWhole(t: Test, p: TestPipeline): Promise<void> {
  t.same((await verify({ pool: p.pool })).offenders, [], 'everything verifies')
}

for (const [name, form] of Object.entries(FORMS)) {
  t.test(`records of JSON settle those that they name: ${name}`, async t => {
    const p = await testPipeline(t)
    p.work()
    const first = await send(p, form(ROWS))
    const [one, two, three] = await fates(p, first)
    t.match([one, two, three], [{ state: 'quarantined' }, { state: 'quarantined' }, { state: 'accepted' }])
    const second = await send(
      p,
      form([
        { ...ROWS[0], issued_date: '2024-02-29', _record_id: one?.id },
        { _record_id: two?.id, ...ROWS[1], _codes: 'INVALID_DATE', _messages: 'as it was' },
        { ...ROWS[0], permit_number: 'J-4', issued_date: '2024-02-01' },
        { ...ROWS[0], permit_number: 'J-5', issued_date: '2024-02-01', _record_id: null },
        { ...ROWS[0], permit_number: 'J-6', issued_date: '2024-02-01', _record_id: 17 },
        { ...ROWS[0], permit_number: 'J-7', issued_date: '2024-02-01', _record_id: three?.id }
      ])
    )
    const [mended, same, added, nameless, wrong, settled] = await fates(p, second)
    t.match(mended, { state: 'accepted', codes: [] })
    t.match(same, { state: 'quarantined', duplicate_of: two?.id })
    t.match([added, nameless], [{ state: 'accepted' }, { state: 'accepted' }])
    t.match(wrong, { state: 'quarantined', codes: ['CORRECTION_UNKNOWN'] })
    t.match(settled, { state: 'quarantined', codes: ['CORRECTION_SETTLED'] })
    const [ended, held] = await fates(p, first)
    t.match(ended, { state: 'rejected', codes: ['CORRECTED', 'INVALID_DATE'], replaced_by: mended?.id })
    t.match(held, { state: 'quarantined', duplicate_of: null })
    const [record] = await p.records(second)
    t.notMatch(JSON.stringify(record), /_record_id/, 'the id is no content of the record')
    await isWhole(t, p)
  })
}

t.test('text of JSON is taken as it stands, and records of a table may be mended as JSON', async t => {
  const p = await testPipeline(t)
  p.work()
  const csv = 'permit_number,parcel_id,permit_type,issued_date,valuation,note\nT-1,22-1,roof,2024-02-30,1.00,plain\n'
  const first = await send(p, { name: 't.csv', bytes: csv, type: 'text/csv' })
  const [held] = await fates(p, first)
  const second = await send(
    p,
    FORMS['lines']!([
      {
        permit_number: 'T-1',
        parcel_id: '22-1',
        permit_type: 'roof',
        issued_date: '2024-02-29',
        valuation: '1.00',
        note: "'=1",
        _record_id: held?.id
      }
    ])
  )
  t.match(await fates(p, second), [{ state: 'accepted' }])
  t.match(await fates(p, first), [{ state: 'rejected' }])
  const { rows } = await p.pool.query(`select content from canonical_record`)
  t.match(JSON.stringify(rows[0]?.content), /'=1/, 'an apostrophe before a formula is text here')
  await isWhole(t, p)
})
