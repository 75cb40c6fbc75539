import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { main } from '../../../src/cli/main.ts'
import { newId } from '../../../src/model/ids.ts'
import { correctRecord, releaseRecord } from '../../../src/review/decide.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { testPipeline } from '../../helpers/pipeline.ts'

const HEADER = 'permit_number,parcel_id,permit_type,applied_date,valuation,status,owner\n'
const ROWS = [
  'R-1,22-1,roof,2026-11-02,8400,issued,Jane Doe',
  'R-2,22-2,pool,2026-11-02,8400,Zoning Hold 7B,Jane Doe',
  'R-3,22-3,roof,2026-11-02,8400,issued,',
  'R-4,22-4,roof,2025-11-02,8400,issued,'
]
const csv = (...rows: readonly string[]): string => `${HEADER}${rows.join('\n')}\n`
const RULES = {
  jurisdiction: JURISDICTION,
  rules: [
    {
      id: '2026',
      effective_from: '2026-01-01',
      required: ['owner_name'],
      mappings: [{ field: 'status', values: { 'In Review': ['Zoning Hold 7B'] } }],
      ranges: [{ field: 'project_valuation', min: '100' }],
      clocks: [{ name: 'completeness', days: 28, count: 'calendar', from: 'applied_date' }]
    }
  ]
}

async function office(t: Test) {
  const p = await testPipeline(t)
  const folder = await mkdtemp(join(tmpdir(), 'docket-rules-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const out: string[] = []
  return {
    ...p,
    out,
    async load(rules: object, ...args: string[]): Promise<number> {
      const path = join(folder, 'rules.json')
      await writeFile(path, JSON.stringify(rules))
      out.length = 0
      const say = (line: string) => out.push(line)
      return main(['rules', 'load', path, ...args], { out: say, err: say, env: { DATABASE_URL: p.url } })
    },
    async judged(bytes: string, jurisdiction = JURISDICTION) {
      const { id } = await p.submit([{ name: 'r.csv', bytes, type: 'text/csv' }], { jurisdiction, force: true })
      await p.finished(id)
      return { id, records: await p.records(id) }
    },
    async versionOf(recordId: string): Promise<string> {
      const { rows } = await p.pool.query<{ version: string }>(
        'select m.version from record r join manifest m on m.number = r.manifest where r.id = $1',
        [recordId]
      )
      return rows[0]?.version ?? ''
    }
  }
}

t.test('rows are judged under the rules of their day, and say by whose', async t => {
  const p = await office(t)
  p.work()
  const before = await p.judged(csv(...ROWS))
  t.ok(
    before.records.every(({ state }) => state === 'accepted'),
    'without rules all are accepted, the plain way'
  )
  t.equal(await p.load(RULES), 0)
  const { records } = await p.judged(csv(...ROWS.map(row => row.replace('R-', 'S-'))))
  t.match(records, [
    { state: 'accepted', content: { statutory_due_at: '2026-11-30', status_mapped: 'Permit Issued' } },
    { state: 'accepted', content: { status_mapped: 'In Review' }, codes: [] },
    { state: 'quarantined', codes: ['STATUTORY_FIELD_MISSING'], content: { statutory_due_at: '2026-11-30' } },
    { state: 'accepted' }
  ])
  t.notOk(records[3]?.content?.['statutory_due_at'], 'the last one applied before the rules were in force')
  const versions = await Promise.all([before.records[0], records[0]].map(record => p.versionOf(record?.id ?? '')))
  t.match(versions[0], /^permit@\d+\+[0-9a-f]{8}$/)
  t.match(versions[1], /^permit@\d+\+[0-9a-f]{8}\.[0-9a-f]{8}$/)
  t.equal(versions[1]?.split('.')[0], versions[0])
})

t.test('rules of one jurisdiction touch no other', async t => {
  const p = await office(t)
  p.work()
  t.equal(await p.load(RULES), 0)
  const { records } = await p.judged(csv(...ROWS), '06059')
  t.ok(records.every(({ state }) => state === 'accepted'))
})

t.test('a clerk releases what the rules held once they are met, and not before', async t => {
  const p = await office(t)
  p.work()
  t.equal(await p.load(RULES), 0)
  const { records } = await p.judged(csv(ROWS[2] ?? ''))
  const held = records[0]
  if (!held) throw new Error('no record')
  const review = { ...p.deps, newId, today: () => '2026-11-30' }
  const target = { jurisdiction: JURISDICTION, recordId: held.id, revision: 1, actor: 'key:clerk' }
  await t.rejects(releaseRecord(review, target, {}), {
    code: 'RECORD_STILL_BLOCKED',
    message: /STATUTORY_FIELD_MISSING/
  })
  await t.rejects(releaseRecord(review, target, { owner_name: 'Jane Doe', project_valuation: '99' }), {
    message: /OUTSIDE_LIMITS/
  })
  await correctRecord(review, target, { applied_date: '2026-11-10' })
  const state = async () =>
    (await p.pool.query(`select state, content ->> 'statutory_due_at' as due from record where id = $1`, [held.id]))
      .rows[0]
  t.match(await state(), { state: 'quarantined', due: '2026-12-08' }, 'the clock begins on the day as corrected')
  await releaseRecord(review, { ...target, revision: 2 }, { owner_name: 'Jane Doe' })
  t.match(await state(), { state: 'accepted' })
  t.match(await p.versionOf(held.id), /\.[0-9a-f]{8}$/)
})

t.test('of rules that were taken back nothing is left when a record is decided about', async t => {
  const p = await office(t)
  p.work()
  t.equal(await p.load(RULES), 0)
  const { records } = await p.judged(csv('R-5,22-3,roof,2026-11-02,8400,Zoning Hold 7B,'))
  t.match(records, [
    {
      state: 'quarantined',
      codes: ['STATUTORY_FIELD_MISSING'],
      content: { statutory_due_at: '2026-11-30', status_mapped: 'In Review' }
    }
  ])
  t.equal(await p.load({ ...RULES, rules: [] }), 0)
  const target = { jurisdiction: JURISDICTION, recordId: records[0]?.id ?? '', revision: 1, actor: 'key:clerk' }
  await releaseRecord({ ...p.deps, newId, today: () => '2026-11-30' }, target, {})
  const { rows } = await p.pool.query<{ state: string; content: object; codes: string[] }>(
    `select r.state, v.content, array(select jsonb_array_elements(r.reasons) ->> 'code') as codes
     from record r join canonical_record v on v.record_id = r.id where r.id = $1`,
    [target.recordId]
  )
  t.match(rows, [{ state: 'accepted', codes: ['UNMAPPED_ENUM'], content: { status: 'Zoning Hold 7B' } }])
  t.notOk(Object.hasOwn(rows[0]?.content ?? {}, 'statutory_due_at'), 'no clock runs any more')
  t.notOk(Object.hasOwn(rows[0]?.content ?? {}, 'status_mapped'), 'nobody says what the status means')
})

t.test('loading tells what changes, keeps every version, and refuses what is not sound', async t => {
  const p = await office(t)
  t.equal(await p.load(RULES, '--dry-run'), 0)
  t.match(p.out.at(-1), 'this was a dry run')
  const versions = async () => (await p.pool.query('select version from jurisdiction_rules')).rows.length
  t.equal(await versions(), 0)
  t.equal(await p.load(RULES), 0)
  t.equal(await p.load(RULES), 0)
  t.match(p.out, ['There was nothing to load.'])
  const stricter = { ...RULES, rules: [{ ...RULES.rules[0], required: ['owner_name', 'applicant_name'] }] }
  t.equal(await p.load(stricter), 0)
  t.match(p.out.join('\n'), 'rules[2026].required[1]: nothing → ')
  t.equal(await versions(), 2)
  t.equal(await p.load({ ...RULES, rules: [{ id: 'x', effective_from: 'now' }] }), 1)
  t.match(p.out.join('\n'), 'rules[0].effective_from: expected a day as YYYY-MM-DD')
  t.equal(await versions(), 2)
})

t.test('a parcel is accepted in the form of its county, with what was written beside it', async t => {
  const p = await office(t)
  p.work()
  const { records } = await p.judged(
    csv(
      'C-1,17-03-123-045-0000,roof,2026-11-02,8400,issued,',
      'C-2,17-03-123-045,roof,2026-11-02,8400,issued,',
      'C-3,17031230450000,roof,2026-11-02,8400,issued,',
      'C-4,17-3,roof,2026-11-02,8400,issued,'
    ),
    '17031'
  )
  t.match(records, [
    {
      state: 'accepted',
      content: { parcel_id: '17031230450000' },
      fields: { parcel_id: { raw: '17-03-123-045-0000' } }
    },
    { content: { parcel_id: '17031230450000' }, fields: { parcel_id: { flags: ['SUFFIX_DEFAULTED'] } } },
    { content: { parcel_id: '17031230450000' }, fields: {} },
    { state: 'accepted', content: { parcel_id: '17-3' } }
  ])
})
