import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { sealAll } from '../../../../src/audit/log/seal.ts'
import { verify } from '../../../../src/audit/verify/verify.ts'
import { findSameContent } from '../../../../src/db/retention/erasures.ts'
import { AppError } from '../../../../src/errors.ts'
import { eraseRecords, finishErasures } from '../../../../src/pipeline/erasure/erase-records.ts'
import { json, testApi } from '../../../helpers/app.ts'
import { findCanaries } from '../../../helpers/canaries.ts'
import { JURISDICTION } from '../../../helpers/factory.ts'
import { type TestFile, testPipeline } from '../../../helpers/pipeline.ts'

const HEADER = 'submission_id,permit_type_code,parcel_id,jurisdiction_fips,applicant_name,project_valuation,description'
const CANARY = 'Zebulon Quackenbush'
const row = (n: number, name = 'Ann Other'): string => `P-${n},BLDG,1234567${n},53033,${name},1000.00,"two\nlines ${n}"`
const csv = (rows: readonly string[]): TestFile => ({
  name: 'a.csv',
  bytes: [HEADER, ...rows].join('\n'),
  type: 'text/csv'
})
const object = (n: number, name: string): object => ({
  submission_id: `N-${n}`,
  permit_type_code: 'BLDG',
  parcel_id: `7654321${n}`,
  jurisdiction_fips: '53033',
  applicant_name: name,
  project_valuation: '1000.00'
})

async function world(t: Parameters<typeof testPipeline>[0]) {
  const pipeline = await testPipeline(t)
  const api = await testApi(t, { on: pipeline })
  pipeline.work()
  const batches: string[] = []
  const send = async (files: readonly TestFile[], options?: Parameters<typeof pipeline.submit>[1]) => {
    const { id } = await pipeline.submit(files, options)
    await pipeline.finished(id)
    batches.push(id)
    return pipeline.records(id)
  }
  const erase = async (id: string | undefined, body: object = {}, revision = 1, key = api.admin) => {
    const answer = await api.fetch(`/v1/records/${id}/erase`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-match': `"${revision}"`, authorization: `Bearer ${key}` },
      body: JSON.stringify({ reason: 'subject_request', ...body })
    })
    return { status: answer.status, body: (await answer.json()) as { code?: string; erased: string[] } }
  }
  const faults = async () => {
    const { deps } = pipeline
    return (await verify({ pool: deps.pool, store: deps.store, payloads: true })).offenders
  }
  const canaries = () => findCanaries(pipeline.pool, [pipeline.folder], [CANARY])
  return { batches, pipeline, api, send, erase, faults, canaries }
}

t.test('a row of a shared table is erased everywhere, and everything else stays provable', async t => {
  const { batches, pipeline, api, send, erase, faults, canaries } = await world(t)
  const rows = Array.from({ length: 30 }, (_, n) => row(n, n === 11 ? CANARY : undefined))
  const records = await send([csv(rows)])
  const again = await send([csv([row(11, CANARY), row(90)])])
  const found = await canaries()
  t.ok(found.found.length > 0 && found.tables > 20, 'the scan sees what is there')
  const target = records[11]
  const url = `/v1/records/${target?.id}`
  const readKey = await api.keyFor({ scopes: ['read', 'review'] })
  t.equal((await erase(target?.id, {}, 1, readKey)).status, 403, 'a scope of its own')
  t.equal((await erase(target?.id, {}, 7)).status, 412)
  t.match(await erase(target?.id), { status: 200, body: { erased: [target?.id, again[0]?.id] } })

  t.strictSame((await canaries()).found, [], 'no value remains')
  t.match(await json(await api.fetch(url)), { status: 410, code: 'RECORD_ERASED', erasure_reason: 'subject_request' })
  t.equal((await api.fetch(`${url}/payload`)).status, 410)
  t.match(await (await api.fetch(`${url}/history`)).text(), /erased for good/)
  t.match(await erase(target?.id, {}, 2), { status: 410 })
  t.strictSame(await faults(), [], 'docket verify is green')

  const list = await json(await api.fetch(`/v1/batches/${batches.at(0)}/records?limit=100`))
  const shown = list.data.find(one => one.id === target?.id)
  t.match(shown, { state: 'accepted', fields: {}, erased_at: /^\d{4}-/ }, 'a list says so')
  t.strictSame(shown?.fields, {})

  const payload = await (await api.fetch(`/v1/records/${records[0]?.id}/payload`)).text()
  const whole = [HEADER, ...rows].join('\n')
  t.equal(payload.length, whole.length)
  t.ok(
    rows.every((text, n) => payload.includes(text) === (n !== 11)),
    'all other rows stand where they were'
  )
  const other = await json(await api.fetch(`/v1/records/${records[12]?.id}`))
  t.equal(other.fields['applicant_name']?.value, 'Ann Other')
  // The content comes back as a new one, not as a repetition of what is gone.
  const [fresh] = await send([csv([row(11, CANARY), row(91)])])
  t.match(fresh, { state: 'accepted', duplicate_of: null })
  const { rows: entries } = await pipeline.pool.query<{ told: { [name: string]: unknown } }>(
    `select convert_from(e.entry, 'UTF8')::jsonb as told from file f join audit_entry e
       on (e.jurisdiction, e.subject_id, e.seq) = (f.jurisdiction, f.id, f.audit_seq) where f.payload_sha256 is not null`
  )
  t.equal(entries.length, 2)
  t.match(entries[0]?.told, {
    transitions: [['payload_overwritten']],
    detail: { payload: /^[0-9a-f]{64}$/, was: /^[0-9a-f]{64}$/ }
  })
  await sealAll({ pool: pipeline.pool, origin: 'docket', keys: [], retired: [] })
})

t.test(
  'content that comes again after its erasure is judged anew: as the next version, or without the decision',
  async t => {
    const { pipeline, api, send, erase, faults } = await world(t)
    const versions = [row(1, 'Ann'), row(1, CANARY)]
    const [first] = await send([csv([versions[0] ?? '', row(50)])])
    const [second] = await send([csv([versions[1] ?? '', row(51)])])
    t.match(await erase(second?.id), { status: 200 })
    t.equal((await json(await api.fetch(`/v1/records/${first?.id}`))).state, 'accepted', 'the key has a version left')
    const [again] = await send([csv([versions[1] ?? '', row(52)])])
    t.match(again, { state: 'accepted', duplicate_of: null, content: { applicant_name: CANARY } })

    const open = row(2, CANARY).replace('12345672', '')
    const [held] = await send([csv([open, row(53)])])
    const released = await api.fetch(`/v1/quarantine/${held?.id}/release`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-match': '"1"' },
      body: JSON.stringify({ corrections: { parcel_id: '7654321' } })
    })
    t.equal(released.status, 200)
    t.match(await erase(held?.id, {}, 2), { status: 200 })
    const [anew] = await send([csv([open, row(54)])])
    t.match(anew, { state: 'quarantined', codes: ['FIELD_MISSING'] })
    t.strictSame(await faults(), [])
    t.equal((await pipeline.pool.query('select 1 from erasure_step')).rowCount, 0)
  }
)

t.test('what a process that ends leaves undone is done by the next', async t => {
  const { pipeline, send, faults, canaries } = await world(t)
  const { deps } = pipeline
  const [one] = await send([csv([row(1, CANARY), row(2)])])
  const [, two] = await send([csv([row(3), row(4, `${CANARY} II`)])])
  const down = (): Promise<never> => Promise.reject(new AppError('STORE_UNAVAILABLE', 'The store is away.'))
  for (const [broken, record] of [
    [{ replace: down }, one],
    [{ open: down }, two]
  ] as const) {
    const store = { ...deps.store, ...broken }
    const found = await findSameContent(pipeline.pool, JURISDICTION, record?.id ?? '')
    const work = {
      jurisdiction: JURISDICTION,
      actor: 'key:x',
      reason: 'court_order',
      rule: null,
      mode: 'overwrite'
    } as const
    await t.rejects(eraseRecords({ ...deps, store }, work, found), { code: 'STORE_UNAVAILABLE' })
    t.ok((await canaries()).found.length > 0)
    t.ok((await finishErasures(deps)) > 0)
    t.equal(await finishErasures(deps), 0, 'and then nothing is left to do')
  }
  t.strictSame((await canaries()).found, [])
  t.strictSame(await faults(), [])
})

t.test('lines and arrays of JSON are overwritten, documents removed, workbooks only when asked to', async t => {
  const { api, send, erase, faults, canaries, pipeline } = await world(t)
  const objects = [object(1, 'Ann Other'), object(2, CANARY), object(3, 'Bo Other')]
  const lines = objects.map(one => JSON.stringify(one)).join('\n')
  const [, second] = await send([{ name: 'a.ndjson', bytes: lines, type: 'application/x-ndjson' }])
  const [only] = await send([csv([row(70, CANARY)])])
  const array = JSON.stringify([object(4, 'Ann'), object(5, `${CANARY} II`)], null, 1)
  const [, fourth] = await send([{ name: 'a.json', bytes: array, type: 'application/json' }])
  for (const one of [second, only, fourth]) t.match(await erase(one?.id), { status: 200 })
  t.strictSame((await canaries()).found, [])
  t.equal((await json(await api.fetch(`/v1/records/${only?.id}`))).status, 410)
  const { rows } = await pipeline.pool.query<{ filename: string }>(
    'select filename from file where payload_removed_at is not null'
  )
  t.strictSame(rows, [{ filename: 'erased' }], 'a file with that record alone is gone')
  t.strictSame(await faults(), [])

  // A document: what was read from it and its pages go with it.
  const bytes = await readFile(join(import.meta.dirname, '../../../../samples/leases/alder-court-summary.pdf'))
  const [lease] = await send([{ name: 'Harbor.pdf', bytes, type: 'application/pdf' }], { profile: 'lease' })
  const body = await json(await api.fetch(`/v1/records/${lease?.id}`))
  t.equal((await api.fetch(`/v1/records/${lease?.id}/pages/1.png`)).status, 200)
  if (body.state === 'quarantined') {
    t.match(await erase(lease?.id), { status: 409, body: { code: 'RECORD_NOT_ENDED' } })
    await api.fetch(`/v1/quarantine/${lease?.id}/reject`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-match': '"1"' },
      body: JSON.stringify({ reason: 'FIELD_MISSING', comment: 'Harbor' })
    })
  }
  t.match(await erase(lease?.id, {}, body.state === 'quarantined' ? 2 : 1), { status: 200 })
  const left = await findCanaries(pipeline.pool, [pipeline.folder], ['Harbor', String(body.fields['tenant']?.value)])
  t.strictSame(left.found, [])
  t.equal((await pipeline.pool.query('select 1 from extraction')).rowCount, 0)
  t.strictSame(await faults(), [])
})
