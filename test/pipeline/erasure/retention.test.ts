import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { main } from '../../../src/cli/main.ts'
import { findSameContent } from '../../../src/db/retention/erasures.ts'
import { setRetentionRule } from '../../../src/db/retention/rules.ts'
import { AppError } from '../../../src/errors.ts'
import { applyRetention } from '../../../src/pipeline/erasure/apply-retention.ts'
import { eraseRecords } from '../../../src/pipeline/erasure/erase-records.ts'
import { findCanaries } from '../../helpers/canaries.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { HEADER } from './erased-permits.ts'

const NAMES = ['Zebulon Quack', 'Yolanda Quill', 'Xaver Quince'] as const

const table = (prefix: string, name: string, held: boolean): string =>
  [
    HEADER,
    ...[1, 2, 3].map(n => `${prefix}-${n},BLDG,${held && n === 2 ? '' : `1234567${n}`},53033,1.00,${name}`)
  ].join('\n')

async function world(t: Parameters<typeof testPipeline>[0]) {
  const pipeline = await testPipeline(t)
  pipeline.work()
  const send = async (prefix: string, name: string, held = false): Promise<string> => {
    const { id } = await pipeline.submit([
      { name: `${prefix}.csv`, bytes: table(prefix, name, held), type: 'text/csv' }
    ])
    await pipeline.finished(id)
    await pipeline.pool.query(`update batch set finished_at = finished_at - interval '40 days' where id = $1`, [id])
    await pipeline.pool.query(`update record set updated_at = updated_at - interval '40 days' where batch_id = $1`, [
      id
    ])
    return id
  }
  const cli = async (...args: string[]): Promise<{ status: number; text: string }> => {
    const lines: string[] = []
    const io = {
      out: (line: string) => lines.push(line),
      err: (line: string) => lines.push(line),
      env: environment(pipeline)
    }
    return { status: await main(['retention', ...args], io), text: lines.join('\n') }
  }
  const seen = async (): Promise<string[]> => {
    const found: string[] = []
    for (const name of NAMES) {
      if ((await findCanaries(pipeline.pool, [pipeline.folder], [name])).found.length > 0) found.push(name)
    }
    return found
  }
  const faults = async () => {
    const { pool, store } = pipeline.deps
    return (await verify({ pool, store, payloads: true })).offenders
  }
  return { pipeline, send, cli, seen, faults }
}

const environment = ({ folder, url }: TestPipeline): Record<string, string> => ({
  DOCKET_DATA: folder,
  DATABASE_URL: url
})

t.test('rules of retention: set, shown beforehand, carried out in full, stopped by a hold', async t => {
  const { pipeline, send, cli, seen, faults } = await world(t)
  const { pool, deps } = pipeline
  await send('A', NAMES[0])
  const kept = await send('B', NAMES[1])
  await send('C', NAMES[2], true)
  const scope = ['--jurisdiction', JURISDICTION, '--profile', 'permit']
  for (const wrong of [
    ['set', ...scope],
    ['set', ...scope, '--record', '0'],
    ['set', ...scope, '--record', 'x'],
    ['hold'],
    ['x']
  ]) {
    t.equal((await cli(...wrong)).status, 2, wrong.join(' '))
  }
  t.equal((await cli('set', '--jurisdiction', JURISDICTION, '--profile', 'none', '--record', '9')).status, 2)
  t.match(await cli('set', ...scope, '--record', '30', '--payload', '60'), {
    status: 0,
    text: /record 53033\/permit@1: 30 days/
  })
  t.match(await cli('list'), { status: 0, text: /permit +record +1 +30/ })
  t.match(await cli('hold', '--jurisdiction', JURISDICTION, '--batch', kept), { status: 0, text: /on batch/ })
  t.match(await cli('hold', '--jurisdiction', JURISDICTION, '--batch', kept), { text: 'Nothing to do.' })
  t.match(await cli('run', '--dry-run'), {
    text: /record 53033\/permit, 30 days: 9 records of 3 batches\npayload|payload.*\nrecord/
  })
  t.strictSame(await seen(), [...NAMES], 'a dry run changes nothing')

  const away = { ...deps.store, open: () => Promise.reject(new AppError('STORE_UNAVAILABLE', 'The store is away.')) }
  await t.rejects(applyRetention({ ...deps, store: away }), { code: 'STORE_UNAVAILABLE' }, 'ended half way')
  await applyRetention(deps)
  t.equal(await applyRetention(deps), 0, 'and then nothing is left to do')
  t.strictSame(await seen(), [NAMES[1], NAMES[2]], 'what a hold is on, and what is held, stays')
  const { rows } = await pool.query<{ batch: string; state: string; erased: boolean }>(
    `select r.state, exists (select 1 from record_erasure e where e.record_id = r.id and e.rule = 'record 53033/permit@1') as erased
     from record r order by r.batch_id, r.item`
  )
  t.strictSame(
    rows.map(row => row.erased),
    [true, true, true, false, false, false, true, false, true]
  )
  t.strictSame(await faults(), [])
  const [held] = await pipeline.records(kept)
  const work = {
    jurisdiction: JURISDICTION,
    actor: 'key:x',
    reason: 'court_order',
    rule: null,
    mode: 'overwrite'
  } as const
  const found = await findSameContent(pool, JURISDICTION, held?.id ?? '')
  await t.rejects(eraseRecords(deps, work, found), { code: 'LEGAL_HOLD' }, 'a request neither')

  t.match(await cli('release', '--jurisdiction', JURISDICTION, '--batch', kept), { status: 0 })
  t.match(await cli('run'), { status: 0, text: '3 files and records' })
  t.strictSame(await seen(), [NAMES[2]])
  t.match(await cli('set', ...scope, '--record', 'off', '--payload', '20'), { status: 0, text: /kept for good/ })
  await applyRetention(deps)
  t.strictSame(await seen(), [NAMES[2]], 'the file of a held record stays')
  t.strictSame(await faults(), [])
})

t.test('a rule about payloads leaves the values', async t => {
  const { pipeline, send, cli, faults } = await world(t)
  const batch = await send('A', NAMES[0])
  await cli('set', '--jurisdiction', JURISDICTION, '--profile', 'permit', '--payload', '30')
  t.equal(await applyRetention(pipeline.deps), 1)
  t.equal(await applyRetention(pipeline.deps), 0)
  const [record] = await pipeline.records(batch)
  t.equal(record?.content?.['applicant_name'], NAMES[0])
  const { rows } = await pipeline.pool.query<{ told: object }>(
    `select convert_from(e.entry, 'UTF8')::jsonb as told from file f join audit_entry e
       on (e.jurisdiction, e.subject_id, e.seq) = (f.jurisdiction, f.id, f.audit_seq)`
  )
  t.match(rows[0]?.told, {
    actor: 'system:retention',
    detail: { payload: null, rule: 'payload 53033/permit@1', reason: 'retention' },
    transitions: [['payload_removed']]
  })
  t.strictSame(await faults(), [])
})

t.test('rows of a table that stays are overwritten whatever their number', async t => {
  const { pipeline, seen, faults } = await world(t)
  const { pool, deps } = pipeline
  // As many as are erased at once, in each of two files with a record that is held.
  const big = (prefix: string, name: string): string =>
    [
      HEADER,
      `${prefix},BLDG,,53033,1.00,Ann`,
      ...Array.from({ length: 200 }, (_, n) => `${prefix}-${n},BLDG,12345678,53033,1.00,${name}`)
    ].join('\n')
  const files = NAMES.slice(0, 2).map((name, n) => ({ name: `${n}.csv`, bytes: big(`F${n}`, name), type: 'text/csv' }))
  const { id } = await pipeline.submit(files)
  await pipeline.finished(id)
  await pool.query(`update batch set finished_at = finished_at - interval '40 days'`)
  await pool.query(`update record set updated_at = updated_at - interval '40 days'`)
  const rule = {
    jurisdiction: JURISDICTION,
    profile: 'permit',
    what: 'record',
    days: 30,
    setBy: 'system:test'
  } as const
  await setRetentionRule(pool, rule)
  t.equal(await applyRetention(deps), 400)
  t.strictSame(await seen(), [])
  t.strictSame(await faults(), [])
})
