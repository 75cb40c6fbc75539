import t from 'tap'
import { verify } from '../../src/audit/verify/verify.ts'
import { withTransaction } from '../../src/db/transaction.ts'
import { saveMapping } from '../../src/db/work/source-mappings.ts'
import type { SourceOptions } from '../../src/profiles/tabular/source-options.ts'
import { retryBatch } from '../../src/review/retry.ts'
import { JURISDICTION, sha } from '../helpers/factory.ts'
import { type StoredRow, type TestPipeline, testPipeline } from '../helpers/pipeline.ts'

const SOURCE = 'Springfield desk'

const save = (p: TestPipeline, options: SourceOptions, source: string | null = SOURCE) =>
  withTransaction(p.pool, tx =>
    saveMapping(
      tx,
      { jurisdiction: JURISDICTION, profile: 'permit', source },
      { options: JSON.parse(JSON.stringify(options)), digest: sha(JSON.stringify(options)), savedBy: 'key:clerk' }
    )
  )

async function send(p: TestPipeline, bytes: string, source: string | undefined = SOURCE): Promise<string> {
  const { id } = await p.submit([{ name: 'x.csv', bytes, type: 'text/csv' }], source === '' ? {} : { source })
  await p.finished(id)
  return id
}

/** Runs records held for a code again and waits until they were. */
async function retry(
  p: TestPipeline,
  batchId: string,
  code: 'FIELD_MISSING' | 'AMBIGUOUS_DATE' | 'INVALID_DATE'
): Promise<number> {
  const { retried } = await retryBatch(p.deps, {
    jurisdiction: JURISDICTION,
    batchId,
    actor: 'key:clerk',
    codes: [code]
  })
  for (;;) {
    const { rowCount } = await p.pool.query('select 1 from record where batch_id = $1 and retry_requested', [batchId])
    if (rowCount === 0) return retried
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

const entryOf = async (p: TestPipeline, subject: string, seq: number) => {
  const { rows } = await p.pool.query<{ entry: Record<string, unknown> }>(
    `select convert_from(entry, 'UTF8')::jsonb as entry from audit_entry where subject_id = $1 and seq = $2`,
    [subject, seq]
  )
  return rows[0]?.entry ?? {}
}

const fileOf = async (p: TestPipeline, batchId: string) => {
  const { rows } = await p.pool.query('select id, format, audit_seq from file where batch_id = $1', [batchId])
  return rows[0] as { id: string; audit_seq: number; format: { source?: object; columns: Record<string, string> } }
}

const FOREIGN = 'Aktenzeichen,Gewerk,Parcel,Betrag,Wann'
const foreignRow = (n: number, date: string): string => `BP-${n},roof,22-${n},"1.250,50",${date}`
const FILE = `${FOREIGN},Issued Date\n${foreignRow(1, '03.04.2024')},2024-05-01\n${foreignRow(2, '17.04.2024')},2024-05-01\n`
const COLUMNS = {
  aktenzeichen: 'submission_id',
  GEWERK: 'permit_type_code',
  Betrag: 'project_valuation',
  Wann: 'applied_date'
}

const values = (records: readonly StoredRow[], field: string) => records.map(({ content }) => content?.[field])

t.test('rows held for missing columns are released together once their columns are mapped', async t => {
  const p = await testPipeline(t)
  p.work()
  const id = await send(p, FILE)
  const held = await p.records(id)
  t.match(held, [
    { state: 'quarantined', codes: ['FIELD_MISSING', 'FIELD_MISSING', 'FIELD_MISSING'] },
    { state: 'quarantined', codes: ['FIELD_MISSING', 'FIELD_MISSING', 'FIELD_MISSING'] }
  ])
  t.match(held[0]?.content?.['extra'], { Betrag: '1.250,50' }, 'what no field has is kept as sent')
  t.same(await save(p, { columns: COLUMNS }), { version: 1, isNew: true })
  t.equal(await retry(p, id, 'FIELD_MISSING'), 2)
  const released = await p.records(id)
  t.match(released, [
    { state: 'accepted', content: { submission_id: 'BP-1', project_valuation: '1250.50' } },
    { state: 'accepted', content: { submission_id: 'BP-2', permit_type_code: 'roof' } }
  ])
  t.same(
    values(released, 'applied_date'),
    ['2024-04-03', '2024-04-17'],
    'by what the column proved before it was mapped'
  )
  t.match((await fileOf(p, id)).format, { source: { version: 1 } }, 'the file says what it was read with last')
  t.match(await entryOf(p, released[0]?.id ?? '', 2), { detail: { mapping: 1, mapping_sha256: /^[0-9a-f]{64}$/ } })
})

t.test('a saved mapping is used for the next file of its source and of no other, and the file says so', async t => {
  const p = await testPipeline(t)
  p.work()
  await save(p, { columns: { Nothing: null } })
  await save(p, { columns: COLUMNS })
  const id = await send(p, FILE)
  t.match(await p.records(id), [{ state: 'accepted' }, { state: 'accepted' }])
  const file = await fileOf(p, id)
  t.match(file.format, { source: { version: 2 }, columns: { project_valuation: 'Betrag', applied_date: 'Wann' } })
  t.match(await entryOf(p, file.id, file.audit_seq), { detail: { mapping: 2 } })
  const other = await send(p, FILE, 'Shelbyville desk')
  t.match(await p.records(other), [{ state: 'quarantined' }, { state: 'quarantined' }])
  t.equal((await fileOf(p, other)).format.source, undefined)
})

t.test('a mapping for files without a source is used for those alone', async t => {
  const p = await testPipeline(t)
  p.work()
  await save(p, { columns: COLUMNS }, null)
  t.match(await p.records(await send(p, FILE, '')), [{ state: 'accepted' }, { state: 'accepted' }])
  const named = await send(p, FILE.replaceAll('BP-', 'BQ-'))
  t.match(await p.records(named), [{ state: 'quarantined' }, { state: 'quarantined' }])
})

t.test('the same file under another mapping is another batch', async t => {
  const p = await testPipeline(t)
  p.work()
  const bytes = 'Was,Wer,Wo\nBP-1,roof,22-1\n'
  const first = await send(p, bytes)
  t.match(await p.records(first), [{ item: 0, state: 'quarantined', codes: ['HEADER_MISSING'] }])
  t.equal(await send(p, bytes), first, 'nothing changed')
  await save(p, { columns: { Was: 'submission_id', Wer: 'permit_type_code', Wo: 'parcel_id' } })
  const second = await send(p, bytes)
  t.not(second, first)
  t.match(await p.records(second), [{ item: 1, line: 2, state: 'quarantined', codes: ['FIELD_MISSING'] }])
})

t.test('what a source declares decides what cells alone leave open', async t => {
  const header = 'Permit No,Permit Type,Parcel,Valuation,Issue Date'
  const cases: [string, SourceOptions, string, string, string][] = [
    ['mdy', { dateOrder: 'mdy' }, '"1,234"', '03/04/2024', '2024-03-04'],
    ['dmy', { dateOrder: 'dmy', decimal: '.' }, '"1,234"', '03/04/2024', '2024-04-03'],
    ['serials', { serialDates: '1904', decimal: '.' }, '"1,234"', '43875', '2024-02-15'],
    ['semicolon', { delimiter: ',', dateOrder: 'ymd', decimal: '.' }, '1234', '24-03-04', '2024-03-04']
  ]
  const p = await testPipeline(t)
  p.work()
  for (const [name, options, amount, date, issued] of cases) {
    await save(p, { decimal: '.', ...options }, name)
    const id = await send(p, `${header}\n${name}-1,roof,22-1,${amount},${date}\n`, name)
    t.match(await p.records(id), [
      { state: 'accepted', content: { project_valuation: '1234.00', issued_date: issued } }
    ])
    const undeclared = await send(p, `${header}\n${name}-2,roof,22-1,"1,234",03/04/2024\n`, `not ${name}`)
    t.match(await p.records(undeclared), [{ state: 'quarantined', codes: ['AMBIGUOUS_NUMBER', 'AMBIGUOUS_DATE'] }])
  }
})

t.test('files without a header are read under the columns their source declares, the first row too', async t => {
  const p = await testPipeline(t)
  p.work()
  const bytes = 'BP-1;roof;22-1;8400;Łódź\nBP-2;deck;22-2;900;x\n'
  const held = await send(p, bytes)
  t.match(await p.records(held), [{ item: 0, codes: ['HEADER_MISSING'] }])
  await save(p, {
    header: ['no', 'what', 'parcel', 'worth', ''],
    columns: { no: 'submission_id', what: 'permit_type', worth: 'project_valuation' }
  })
  await save(p, { header: ['permit no', 'permit type', 'parcel', 'valuation', 'note'], encoding: 'utf-8' })
  const read = await p.records(await send(p, bytes))
  t.match(read, [
    { line: 1, state: 'accepted', content: { submission_id: 'BP-1', extra: { note: 'Łódź' } } },
    { line: 2, state: 'accepted', content: { project_valuation: '900.00' } }
  ])
})

t.test('a mapping saved while a large file is split changes nothing in it', async t => {
  const p = await testPipeline(t)
  await save(p, { columns: COLUMNS })
  const rows = Array.from({ length: 8000 }, (_, n) => `${foreignRow(n, '17.04.2024')},2024-05-01`)
  const { id } = await p.submit(
    [{ name: 'x.csv', bytes: `${FOREIGN},Issued Date\n${rows.join('\n')}\n`, type: 'text/csv' }],
    {
      source: SOURCE
    }
  )
  p.work()
  await p.finished(id)
  const file = await fileOf(p, id)
  t.match(file.format, { source: { version: 1 } })
  t.match(await entryOf(p, file.id, 2), { detail: { records: 8000, mapping: 1 } })
  const { rows: states } = await p.pool.query('select state, count(*)::int as n from record group by state')
  t.same(states, [{ state: 'accepted', n: 8000 }])
})

t.test('a run again under another mapping leaves the rest of its file to the one it was begun with', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '100' })
  const held = `${foreignRow(1, '17.04.2024')},2024-05-32`
  const rows = Array.from({ length: 150 }, (_, n) => `${foreignRow(n + 2, '17.04.2024')},2024-05-01`)
  await save(p, { columns: COLUMNS })
  const bytes = `${FOREIGN},Issued Date\n${[held, ...rows].join('\n')}\n`
  const { id } = await p.submit([{ name: 'x.csv', bytes, type: 'text/csv' }], { source: SOURCE })
  // The second chunk waits.
  await p.pool.query(`update pgboss.job set start_after = now() + interval '1 hour'
    where name = 'chunk' and (data ->> 'subject')::uuid in (select id from chunk where first_item > 1)`)
  p.work()
  for (;;) {
    const { rowCount } = await p.pool.query(`select 1 from chunk where state = 'committed'`)
    if (rowCount === 1) break
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  const { Betrag: _, ...rest } = COLUMNS
  await save(p, { columns: rest })
  await retry(p, id, 'INVALID_DATE')
  await p.pool.query(`update pgboss.job set start_after = now() where name = 'chunk' and state = 'created'`)
  await p.finished(id)
  const records = await p.records(id)
  t.equal(records.length, 151)
  t.same(new Set(values(records.slice(1), 'project_valuation')), new Set(['1250.50']))
  t.match((await fileOf(p, id)).format, { source: { version: 1 } })
})

t.test(
  'a header is at least two columns of the profile; suggestions name columns by number and no content',
  async t => {
    const p = await testPipeline(t)
    p.work()
    const cases: [string, RegExp][] = [
      ['permit_number,foo,bar\nBP-1,x,y\n', /column 1 may be submission_id/],
      [
        'Permit Numbr,Parcl Nummer,Valuaton,Inspector\nBP-1,22-1,1.00,Novak\n',
        /column 1 may be submission_id.*column 3 may be project_valuation/
      ],
      ['Ida Novak,Elm Street,roofing\nJan Kos,Oak Street,fence\n', /no row comes close/]
    ]
    for (const [bytes, message] of cases) {
      const id = await send(p, bytes)
      const { rows } = await p.pool.query(
        `select item, state, reasons -> 0 ->> 'code' as code, reasons -> 0 ->> 'message' as message from record where batch_id = $1`,
        [id]
      )
      t.match(rows, [{ item: 0, state: 'quarantined', code: 'HEADER_MISSING', message }])
      t.notMatch(JSON.stringify(rows), /Novak|Elm|Numbr/)
    }
  }
)

t.test('how a source quotes goes before what is found', async t => {
  const p = await testPipeline(t)
  p.work()
  const file = `permit_number,parcel_id,permit_type,valuation,description\nQ-1,22-1,roof,100.00,"18\n`
  const found = await p.records(await send(p, file, 'by itself'))
  t.notMatch(found, [{ state: 'accepted' }], 'a quote mark that is never closed')
  await save(p, { quote: null })
  const told = await p.records(await send(p, file))
  t.match(told, [{ state: 'accepted', content: { work_description: '"18' } }])
  await save(p, { quote: "'", escape: 'backslash' })
  const single = file.replace('"18', String.raw`'it\'s 18'`).replace('Q-1', 'Q-2')
  t.match(await p.records(await send(p, single)), [{ state: 'accepted', content: { work_description: "it's 18" } }])
})

t.test('a file sent again under a mended mapping is no duplicate of what it was read as before', async t => {
  const p = await testPipeline(t)
  p.work()
  const bytes =
    'permit_number,parcel_id,permit_type,issued_date,valuation\nRD-1,22-1,roof,03/04/2024,1.00\nRD-1,22-1,roof,03/04/2024,1.00\n'
  await save(p, { dateOrder: 'mdy' })
  const first = await send(p, bytes)
  t.same(values(await p.records(first), 'issued_date'), ['2024-03-04', '2024-03-04'])
  await save(p, { dateOrder: 'dmy' })
  const { id: dry } = await p.submit([{ name: 'x.csv', bytes, type: 'text/csv' }], { source: SOURCE, dryRun: true })
  await p.finished(dry)
  const second = await send(p, bytes)
  const records = await p.records(second)
  t.same(values(records, 'issued_date'), ['2024-04-03', '2024-04-03'])
  t.match(records, [{ duplicate_of: null }, { duplicate_of: records[0]?.id }])
  const { rows: current } = await p.pool.query(
    `select h.version, c.content ->> 'issued_date' as date
     from current_version h join canonical_record c using (jurisdiction, profile, natural_key, version)`
  )
  t.same(current, [{ version: 2, date: '2024-04-03' }])
  const { rows: report } = await p.pool.query(
    'select version, duplicate_of is null as is_new from dry_run_record where batch_id = $1 order by item',
    [dry]
  )
  t.same(report, [
    { version: 2, is_new: true },
    { version: 2, is_new: false }
  ])
  t.same((await verify({ pool: p.pool })).offenders, [])
})
