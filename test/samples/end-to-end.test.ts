import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import type { ExpectedRecord, SampleBatch } from '../../samples/generate/manifest.ts'
import { verify } from '../../src/audit/verify/verify.ts'
import type { Batch } from '../../src/cli/demo/client.ts'
import { isExpected } from '../../src/cli/demo/run-batches.ts'
import { mediaTypeOf } from '../conformance/case-files.ts'
import { type Deployment, testDeployment } from '../conformance/deployment.ts'
import { isSame, type RecordBody } from '../conformance/judge.ts'

const SAMPLES = join(import.meta.dirname, '../../samples')

async function submit(deployment: Deployment, batch: SampleBatch): Promise<{ id: string; isReplay: boolean }> {
  const body = new FormData()
  body.set('profile', batch.profile)
  body.set('jurisdiction', batch.jurisdiction)
  if (batch.source !== undefined) body.set('source', batch.source)
  for (const file of batch.files) {
    const bytes = await readFile(join(SAMPLES, file))
    body.append('file', new Blob([bytes], { type: mediaTypeOf(file) }), basename(file))
  }
  const response = await deployment.api.fetch('/v1/batches', { method: 'POST', body })
  if (!response.ok) throw new Error(`${batch.name} was answered ${response.status}`)
  const { id } = (await response.json()) as { readonly id: string }
  return { id, isReplay: response.headers.get('idempotent-replayed') === 'true' }
}

/** A duplicate is an accepted record that names the one it repeats. */
const stateOf = (record: RecordBody): string =>
  record.state === 'accepted' && record.duplicate_of !== null ? 'duplicate' : record.state

/** What is wrong with a record the manifest names, as sentences. */
function faultsOf(expected: ExpectedRecord, records: readonly RecordBody[]): string[] {
  const name = `${expected.file} row ${expected.row ?? '-'}`
  const record = records.find(
    one => one.filename === basename(expected.file) && (expected.row === undefined || one.row === expected.row)
  )
  if (record === undefined) return [`${name}: no such record`]
  const state = stateOf(record)
  if (state === 'quarantined' && expected.may_be_held === true) return []
  if (state !== expected.state) return [`${name} is ${state}, not ${expected.state}`]
  const codes = record.reasons.map(({ code }) => code)
  const hasCode = expected.code === undefined || codes.includes(expected.code)
  const wrong = Object.entries(expected.fields ?? {}).filter(
    ([field, value]) => !isSame(value, record.fields[field]?.value)
  )
  return [
    ...(hasCode ? [] : [`${name} is held for ${codes.join(', ')}`]),
    ...wrong.map(([field]) => `${name}: ${field}`)
  ]
}

async function rowCounts(deployment: Deployment): Promise<unknown> {
  const { rows } = await deployment.api.pool.query(
    `select (select count(*)::int from batch) as batches, (select count(*)::int from record) as records,
      (select count(*)::int from canonical_record) as versions, (select count(*)::int from audit_trail) as entries,
      (select count(*)::int from audit_commit) as commits`
  )
  return rows[0]
}

async function submitAll(t: Test, deployment: Deployment, batches: readonly SampleBatch[]): Promise<string[]> {
  const ids: string[] = []
  for (const batch of batches) {
    const { id, isReplay } = await submit(deployment, batch)
    t.notOk(isReplay, `${batch.name} is new`)
    const { counts } = await deployment.ended(id)

    t.ok(isExpected(counts as Batch['counts'], batch.expect), `${batch.name} ends as listed: ${JSON.stringify(counts)}`)
    const records = await deployment.records(id)
    t.strictSame(
      batch.records.flatMap(record => faultsOf(record, records)),
      [],
      batch.name
    )
    ids.push(id)
  }
  return ids
}

t.test('all samples end as listed; sent again they are answered from the first time; all of it verifies', async t => {
  const { seed, batches } = JSON.parse(await readFile(join(SAMPLES, 'manifest.json'), 'utf8')) as {
    readonly seed: number
    readonly batches: readonly SampleBatch[]
  }
  t.comment(`seed ${seed}`)
  const deployment = await testDeployment(t)
  const first = await submitAll(t, deployment, batches)
  const before = await rowCounts(deployment)
  for (const [i, batch] of batches.entries()) {
    t.strictSame(await submit(deployment, batch), { id: first[i], isReplay: true }, `${batch.name} again`)
  }
  t.strictSame(await rowCounts(deployment), before, 'nothing was added')
  const { pool, store } = deployment.api
  const report = await verify({ pool, store, payloads: true })
  t.strictSame(report.offenders, [])
  t.ok(report.ok)
  t.equal(report.checked.batches, batches.length)
})
