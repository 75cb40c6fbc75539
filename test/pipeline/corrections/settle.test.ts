import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { newId } from '../../../src/model/ids.ts'
import { sweepCorrections } from '../../../src/pipeline/corrections/settle-corrections.ts'
import { cancelBatch } from '../../../src/review/cancel-batch.ts'
import { loadTarget } from '../../../src/review/load-target.ts'
import { encodeText } from '../../../src/tabular/write/encode-text.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { testPipeline } from '../../helpers/pipeline.ts'
import { makeWorkbook, row, text } from '../../tabular/xlsx/make-workbook.ts'
import { errorsOf, fates, send } from './round-trip.ts'

const HEADER = 'permit_number,parcel_id,permit_type,issued_date,valuation'
const held = (...numbers: string[]) => ({
  name: 'a.csv',
  bytes: `${HEADER}\n${numbers.map(number => `${number},22-1,roof,2024-02-30,1.00\n`).join('')}`
})
const mended = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('2024-02-30', '2024-02-29')
const offenders = async (p: { pool: Parameters<typeof verify>[0]['pool'] }) =>
  (await verify({ pool: p.pool })).offenders

t.test('a row that cannot settle what it names is held with a plain reason, and what it names stays', async t => {
  const p = await testPipeline(t)
  p.work()
  const first = await send(p, held('A', 'B', 'C', 'D'))
  const other = await send(p, held('E'))
  const [a, b, c, d] = await fates(p, first)
  const [e] = await fates(p, other)
  const lines = mended(await errorsOf(p, first))
    .trimEnd()
    .split('\n')
  const line = (id: string | undefined, number: string) => `${number},22-1,roof,2024-02-29,2.00,${id},2,,`
  const twice = await send(p, {
    name: 'x.csv',
    bytes: [
      lines[0],
      line(a?.id, 'A'),
      line(b?.id, 'B'),
      line(b?.id, 'B2'),
      line(newId(), 'N'),
      line('nonsense', 'O'),
      line(e?.id, 'E'),
      line('', 'NEW-1')
    ].join('\n')
  })
  t.match(await fates(p, twice), [
    { state: 'accepted', codes: [] },
    { state: 'quarantined', codes: ['CORRECTION_REPEATED'] },
    { state: 'quarantined', codes: ['CORRECTION_REPEATED'] },
    { state: 'quarantined', codes: ['CORRECTION_UNKNOWN'] },
    { state: 'quarantined', codes: ['CORRECTION_UNKNOWN'] },
    { state: 'quarantined', codes: ['CORRECTION_OTHER_BATCH'] },
    { state: 'accepted', codes: [] }
  ])
  t.match(await fates(p, first), [{ state: 'rejected' }, ...[b, c, d].map(() => ({ state: 'quarantined' }))])
  t.match(await fates(p, other), [{ state: 'quarantined' }])
  // The same correction again says nothing new; another one comes too late.
  const again = await send(p, { name: 'y.csv', bytes: [lines[0], line(a?.id, 'A'), line(c?.id, 'C')].join('\n') })
  t.match(await fates(p, again), [{ state: 'accepted', codes: [] }, { state: 'accepted' }])
  const late = await send(p, { name: 'z.csv', bytes: [lines[0], line(a?.id, 'A9'), line(d?.id, 'D')].join('\n') })
  t.match(await fates(p, late), [{ state: 'quarantined', codes: ['CORRECTION_SETTLED'] }, { state: 'accepted' }])
  t.strictSame(await offenders(p), [])
  const { rows } = await p.pool.query('select parent_batch_id as id from batch where id = $1', [twice])
  t.equal(rows[0]?.id, first)
})

t.test('rows that could not be cut, JSON members and documents go out and come back', async t => {
  const p = await testPipeline(t)
  p.work()
  const ragged = await send(p, {
    name: 'r.csv',
    bytes: `${HEADER}\nA,22-1,roof,2024-02-29,1.00\nB,22-1,"roof,x\nC,22\n`
  })
  const text = (await errorsOf(p, ragged)).toString('utf8')
  t.match(text, /^,,,,,[0-9a-f-]{36},3,UNCLOSED_QUOTE,".*As sent: B,22-1,""roof,x"$/m)
  const alone = await send(p, { name: 'r2.csv', bytes: text })
  t.strictSame(
    (await fates(p, alone)).map(one => one.duplicate_of),
    (await fates(p, ragged)).slice(1).map(one => one.id)
  )
  const rows = text.split(/(?<=\n)/)
  const cells = 'B,22-1,roof,2024-02-28,1.00'
  const fixed = await send(p, { name: 'r3.csv', bytes: rows[0] + (rows[1] ?? '').replace(/^,,,,/, cells) })
  t.match(await fates(p, fixed), [{ state: 'accepted' }])
  t.match(await fates(p, ragged), [{ state: 'accepted' }, { state: 'rejected' }, { state: 'quarantined' }])

  const json = await send(p, {
    name: 'j.json',
    bytes: JSON.stringify([
      { permit_number: 'J1', parcel_id: '0001', permit_type: 'roof', issued_date: '2024-02-30', valuation: 12.5 },
      {
        permit_number: 'J2',
        parcel_id: '0001',
        permit_type: 'roof',
        issued_date: '2024-02-30',
        tags: ['a', '=b'],
        note: null
      }
    ])
  })
  const table = (await errorsOf(p, json)).toString('utf8')
  t.match(table, /^permit_number,parcel_id,permit_type,issued_date,valuation,tags,note,_record_id,/)
  const jsonAlone = await send(p, { name: 'j.csv', bytes: table })
  t.strictSame(
    (await fates(p, jsonAlone)).map(one => one.duplicate_of),
    (await fates(p, json)).map(one => one.id)
  )
  const jsonFixed = await send(p, { name: 'j2.csv', bytes: table.replace('2024-02-30', '2024-02-28') })
  t.match(await fates(p, jsonFixed), [{ state: 'accepted' }, { state: 'quarantined' }])
  t.match(await fates(p, json), [{ state: 'rejected' }, { state: 'quarantined' }])
  t.strictSame(await offenders(p), [])
})

t.test('a document that is held is settled by a row of its fields', async t => {
  const p = await testPipeline(t)
  p.work()
  const { id } = await p.submit([
    { name: 'note.txt', bytes: 'Parcel ID: 22-1\nPermit Type: Roof\n', type: 'text/plain' }
  ])
  await p.finished(id)
  const table = (await errorsOf(p, id)).toString('utf8').split('\r\n')
  t.match(table[0], /^submission_id,permit_type_code,/)
  const alone = await send(p, { name: 'd.csv', bytes: table.join('\r\n') })
  t.strictSame(
    (await fates(p, alone)).map(one => one.duplicate_of),
    (await fates(p, id)).map(one => one.id)
  )
  t.strictSame(await offenders(p), [])
})

t.test('a file of few words is read in the encoding of the file it came from', async t => {
  const p = await testPipeline(t)
  p.work()
  const name = 'Řezníček'
  const first = await send(p, {
    name: 'cz.csv',
    bytes: encodeText(`${HEADER},contractor_name\nH,22-1,roof,2024-02-30,1.00,${name}\n`, 'windows-1250')
  })
  // As if the source had been declared: an encoding that nobody would tell from these words.
  await p.pool.query(`update file set format = jsonb_set(format, '{tabular,encoding}', '"windows-1250"')`)
  const errors = await errorsOf(p, first)
  const text = new TextDecoder('windows-1250').decode(errors).replace('2024-02-30', '2024-02-28')
  const second = await send(p, { name: 'e.csv', bytes: encodeText(text, 'windows-1250') })
  t.match(await fates(p, second), [{ state: 'accepted' }])
  const { rows: values } = await p.pool.query(
    `select content ->> 'contractor_name' as name from canonical_record where batch_id = $1`,
    [second]
  )
  t.equal(values[0]?.name, name)
})

t.test(
  'what a worker left between two transactions is settled by a sweep, and decided by nobody until then',
  async t => {
    const p = await testPipeline(t)
    const slots = p.work()
    const first = await send(p, held('A'))
    const errors = mended(await errorsOf(p, first))
    await slots.stop()
    const [old] = await fates(p, first)
    const second = await p.submit([{ name: 'b.csv', bytes: errors }])
    // A worker that has spoken for the record and then ended.
    await p.pool.query(
      `insert into correction (jurisdiction, record_id, batch_id, file_number, item) values ($1, $2, $3, 1, 1)`,
      [JURISDICTION, old?.id, second.id]
    )
    const target = { jurisdiction: JURISDICTION, recordId: old?.id ?? '', revision: 1, actor: 'key:clerk' }
    await t.rejects(
      withTransaction(p.pool, tx => loadTarget(tx, target)),
      { code: 'RECORD_NOT_HELD' }
    )
    t.equal(await sweepCorrections(p.deps), 0, 'not before its row is a record')
    p.work()
    await p.finished(second.id)
    t.match(await fates(p, second.id), [{ state: 'accepted' }])
    await sweepCorrections(p.deps)
    t.match(await fates(p, first), [{ state: 'rejected', codes: ['CORRECTED', 'INVALID_DATE'] }])
    t.strictSame(await offenders(p), [])
  }
)

t.test('a batch that is cancelled gives up what it spoke for', async t => {
  const p = await testPipeline(t)
  const slots = p.work()
  const first = await send(p, held('A'))
  const errors = mended(await errorsOf(p, first))
  await slots.stop()
  const [old] = await fates(p, first)
  const second = await p.submit([{ name: 'b.csv', bytes: errors }])
  await p.pool.query(
    `insert into correction (jurisdiction, record_id, batch_id, file_number, item) values ($1, $2, $3, 1, 1)`,
    [JURISDICTION, old?.id, second.id]
  )
  const deps = { ...p.deps, profiles: p.deps.profiles }
  await cancelBatch(deps, { jurisdiction: JURISDICTION, batchId: second.id, actor: 'key:clerk' })
  t.equal((await p.pool.query('select 1 from correction')).rowCount, 0)
  const target = { jurisdiction: JURISDICTION, recordId: old?.id ?? '', revision: 1, actor: 'key:clerk' }
  t.equal((await withTransaction(p.pool, tx => loadTarget(tx, target))).id, old?.id)
})

t.test('a workbook goes out as a table, and an errors file may come back as a workbook', async t => {
  const p = await testPipeline(t)
  p.work()
  const sheet = (rows: readonly (readonly string[])[]): Buffer =>
    makeWorkbook({ sheets: [{ name: 'S', rows: rows.map((cells, i) => row(i + 1, cells.map(text))).join('') }] })
  const bytes = sheet([
    HEADER.split(','),
    ['X1', '22-1', 'roof', '2024-02-30', '1.00'],
    ['X2', '22-1', 'roof', '2024-02-30', '1.00']
  ])
  const first = await send(p, { name: 'w.xlsx', bytes })
  const table = (await errorsOf(p, first)).toString('utf8')
  t.match(table, /^permit_number,parcel_id,permit_type,issued_date,valuation,_record_id,/)
  const alone = await send(p, { name: 'w.csv', bytes: table })
  const before = await fates(p, first)
  t.strictSame(
    (await fates(p, alone)).map(one => one.duplicate_of),
    before.map(one => one.id)
  )
  const back = sheet([
    [...HEADER.split(','), '_record_id', '_line', '_codes', '_messages'],
    ['X1', '22-1', 'roof', '2024-02-29', '1.00', before[0]?.id ?? '', '2', 'INVALID_DATE', 'Correct it.']
  ])
  const second = await send(p, { name: 'back.xlsx', bytes: back })
  t.match(await fates(p, second), [{ state: 'accepted' }])
  t.match(await fates(p, first), [{ state: 'rejected' }, { state: 'quarantined' }])
  t.strictSame(await offenders(p), [])
})
