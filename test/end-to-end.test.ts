import Pdf from 'pdfkit'
import t, { type Test } from 'tap'
import { verify } from '../src/audit/verify/verify.ts'
import { outcomeOf } from './conformance/case-files.ts'
import { type Deployment, testDeployment } from './conformance/deployment.ts'
import { json } from './helpers/app.ts'

const HEADER = 'permit_number,parcel_id,permit_type,issued_date,valuation'
const QUERY = '?profile=permit&jurisdiction=53033'

interface AuditEntry {
  readonly seq: number
  readonly actor: string
  readonly reasons: readonly string[]
  readonly detail: Readonly<Record<string, unknown>>
  readonly transitions: readonly { readonly transition: string; readonly at: string }[]
}

const post = (deployment: Deployment, query: string, type: string, body: string | Uint8Array<ArrayBuffer>) =>
  deployment.api.fetch(`/v1/batches${query}`, { method: 'POST', headers: { 'content-type': type }, body })

async function submitRows(deployment: Deployment, rows: readonly string[]) {
  const response = await post(deployment, QUERY, 'text/csv', `${[HEADER, ...rows].join('\n')}\n`)
  const { batch, records = [] } = await outcomeOf(deployment, response)
  return { id: batch?.id ?? '', counts: batch?.counts, records }
}

const decide = (deployment: Deployment, recordId: string, action: 'release' | 'reject', body: object) =>
  deployment.api.fetch(`/v1/quarantine/${recordId}/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'if-match': '"1"' },
    body: JSON.stringify(body)
  })

async function chainOf(deployment: Deployment, recordId: string): Promise<AuditEntry[]> {
  const { data } = await json(await deployment.api.fetch(`/v1/records/${recordId}/audit`))
  return data as unknown as AuditEntry[]
}

const transitionsOf = (chain: readonly AuditEntry[]): string[] =>
  chain.flatMap(entry => entry.transitions.map(({ transition }) => transition))

async function assertVerified(t: Test, deployment: Deployment): Promise<void> {
  const { pool, store } = deployment.api
  t.strictSame((await verify({ pool, store, payloads: true })).offenders, [])
}

t.test('the trail of decisions', async t => {
  const deployment = await testDeployment(t)

  await t.test('records released in one go have an entry each, with before, after, actor and time', async t => {
    const days = ['2024-02-30', '2024-04-31', '2024-06-31']
    const { records } = await submitRows(
      deployment,
      days.map((day, i) => `AU1-${i},22-${i},roof,${day},${i}00.00`)
    )
    t.equal(records.length, 3)
    const corrections = { issued_date: '2024-02-29' }
    const answers = await Promise.all(records.map(({ id }) => decide(deployment, id, 'release', { corrections })))
    t.strictSame(
      answers.map(({ status }) => status),
      [200, 200, 200]
    )
    for (const [i, { id }] of records.entries()) {
      const chain = await chainOf(deployment, id)
      t.equal(chain.length, 2, 'what processing did and what the clerk did')
      t.match(chain[1], { seq: 2, actor: /^key:/, detail: { corrected: ['issued_date'] } })
      t.strictSame(transitionsOf(chain).slice(-3), ['corrected', 'released', 'accepted'])
      t.ok(chain[1]?.transitions.every(({ at }) => /^\d{4}-\d\d-\d\dT.*Z$/.test(at)))
      // The values stand beside the chain, revision by revision, so that personal data can be erased from them.
      const { rows } = await deployment.api.pool.query<{ before: string; after: string }>(
        `select v.fields #>> '{issued_date,raw}' as before, c.content ->> 'issued_date' as after
         from record r join canonical_record c using (jurisdiction, profile, natural_key, version)
         join record_revision v on v.jurisdiction = r.jurisdiction and v.record_id = r.id and v.revision = 1
         where r.id = $1`,
        [id]
      )
      t.strictSame(rows, [{ before: days[i], after: '2024-02-29' }])
    }
  })

  await t.test('every record ends in the trail once, with who did it; without its entry nothing happens', async t => {
    const { id, records } = await submitRows(deployment, [
      'AU3-1,23-1,roof,2024-02-29,100.00',
      'AU3-2,23-2,roof,2024-02-30,200.00',
      'AU3-3,23-3,roof,2024-02-30,300.00'
    ])
    const [, released, rejected] = records
    await deployment.api.pool.query(`alter table audit_entry add constraint no_more check (false) not valid`)
    const refused = await decide(deployment, released?.id ?? '', 'release', {
      corrections: { issued_date: '2024-02-29' }
    })
    t.equal(refused.status, 500)
    await deployment.api.pool.query('alter table audit_entry drop constraint no_more')
    t.match((await deployment.records(id))[1], { state: 'quarantined', revision: 1 }, 'no entry, no decision')

    await decide(deployment, released?.id ?? '', 'release', { corrections: { issued_date: '2024-02-29' } })
    await decide(deployment, rejected?.id ?? '', 'reject', { reason: 'CANCELLED_BY_CLERK', comment: 'withdrawn' })
    const ends: Record<string, string> = {}
    for (const record of await deployment.records(id)) {
      const chain = await chainOf(deployment, record.id)
      ends[record.line ?? 0] = `${record.state}: ${transitionsOf(chain).at(-1)}`
      t.ok(chain.every(({ actor }) => /^(?:key|worker):./.test(actor)))
    }
    t.strictSame(ends, { 2: 'accepted: accepted', 3: 'accepted: accepted', 4: 'rejected: rejected' })
    const { rows } = await deployment.api.pool.query(
      'select transition from audit_transition where subject_id = $1 order by seq, step',
      [id]
    )
    t.match(rows, [{ transition: 'received' }, { transition: 'completed' }], 'the upload itself')
    const results = await (await deployment.api.fetch(`/v1/batches/${id}/results.ndjson`)).text()
    t.equal(results.trimEnd().split('\n').length, 3)
  })

  await assertVerified(t, deployment)
})

/** A policy of so many pages. */
async function policyOf(pages: number): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = new Pdf({ size: 'LETTER', autoFirstPage: false, compress: true })
  const blocks: Buffer[] = []
  pdf.on('data', (block: Buffer) => blocks.push(block))
  const ended = new Promise(resolve => pdf.on('end', resolve))
  for (let page = 1; page <= pages; page += 1)
    pdf.addPage().text(page === 1 ? 'Policy Number: HX-605060' : `Form ${page}`)
  pdf.end()
  await ended
  return new Uint8Array(Buffer.concat(blocks))
}

t.test('a document of too many pages has ended, everywhere the same, and is no fault of the service', async t => {
  const deployment = await testDeployment(t, { DOCKET_DOCUMENT_PAGES: '50' })
  const query = '?profile=policy&jurisdiction=53033'
  const { batch, records } = await outcomeOf(
    deployment,
    await post(deployment, query, 'application/pdf', await policyOf(60))
  )
  t.match(batch, { state: 'completed', counts: { total: 1, pending: 0, quarantined: 1 }, progress: 1 })
  t.match(records, [{ state: 'quarantined', reasons: [{ code: 'PAGE_LIMIT', failure_class: 'permanent' }] }])
  const results = await deployment.api.fetch(`/v1/batches/${batch?.id}/results.ndjson`)
  t.equal(results.status, 200)
  t.match(JSON.parse(await results.text()), { reasons: [{ code: 'PAGE_LIMIT' }] })
  const levels = [...deployment.workerLines, ...deployment.api.lines].map(line => JSON.parse(line).level)
  t.notMatch(levels, /error|fatal/)
  t.ok(levels.includes('info'), 'lines were written')
  const within = await outcomeOf(deployment, await post(deployment, query, 'application/pdf', await policyOf(50)))
  t.notOk(
    within.records?.[0]?.reasons.some(({ code }) => code === 'PAGE_LIMIT'),
    'fifty are read'
  )
})
