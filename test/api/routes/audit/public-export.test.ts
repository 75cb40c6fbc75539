import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { verifierOf, writeVerifier } from '../../../../src/audit/log/signing/signed-note.ts'
import { verify } from '../../../../src/audit/verify/verify.ts'
import { main } from '../../../../src/cli/main.ts'
import { json, testApi } from '../../../helpers/app.ts'
import { JURISDICTION, sha } from '../../../helpers/factory.ts'
import { testPipeline } from '../../../helpers/pipeline.ts'

const KEY = generateKeyPairSync('ed25519').privateKey
const NAME = 'Zebulon Quackenbush'
const HEADER = 'submission_id,permit_type_code,parcel_id,jurisdiction_fips,project_valuation,applicant_name,odd_column'
const rows = (from: number): string =>
  [HEADER, ...[0, 1, 2, 3].map(n => `P-${from + n},BLDG,123456${from + n},53033,1.00,${NAME} ${n},odd ${n}`)].join('\n')

interface Line {
  readonly form?: string
  readonly export: string
  readonly id: string
  readonly kept: string
  readonly batch: string
  readonly fields: { readonly [name: string]: { readonly value?: unknown; readonly withheld?: string } }
}

t.test('records for the public: what is withheld stays so, and can be shown to be what it was', async t => {
  const pipeline = await testPipeline(t)
  const api = await testApi(t, { on: pipeline, signing: { origin: 'docket', keys: [KEY] } })
  const folder = await mkdtemp(join(tmpdir(), 'docket-public-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const keys = join(folder, 'keys')
  await writeFile(keys, `${writeVerifier(verifierOf(`docket/${JURISDICTION}`, KEY))}\n`)
  pipeline.work()
  const [first = '', second = ''] = await Promise.all(
    [10, 50].map(async from => {
      const { id } = await pipeline.submit([{ name: `${NAME}.csv`, bytes: rows(from), type: 'text/csv' }])
      await pipeline.finished(id)
      return id
    })
  )
  const take = async (query = ''): Promise<string> => {
    for (;;) {
      const answer = await api.fetch(`/v1/audit/public-export?jurisdiction=${JURISDICTION}${query}`)
      // The connections of those before are given back a moment after their last byte.
      if (answer.status !== 429) {
        t.equal(answer.status, 200)
        return answer.text()
      }
      await answer.text()
    }
  }
  const text = await take()
  t.notOk(text.includes('Zebulon') || text.includes('odd 1'), 'neither personal values nor columns of no class')
  const lines = text
    .trim()
    .split('\n')
    .map(one => JSON.parse(one) as Line)
  const records = lines.filter(one => one.fields)
  t.equal(records.length, 8)
  const [head] = lines
  t.match(records[1]?.fields, {
    submission_id: { value: /^P-/, salt: /^[0-9a-f]{32}$/ },
    applicant_name: { withheld: 'P2', commitment: /^[0-9a-f]{64}$/ },
    extra: { withheld: 'unclassified' }
  })
  const sums = new Set(records.map(one => (one.fields['applicant_name'] as { commitment?: string }).commitment))
  t.equal(sums.size, 8, 'the same value is not seen to be the same')
  t.equal((await take(`&batch=${first}`)).split('\n').filter(one => one.includes('"kept"')).length, 4)
  t.ok((await take('&show=P0,P1,P2')).includes(NAME))
  t.equal((await take('&to=2020-01-01T00:00:00Z')).split('\n').length, 4, 'nothing')

  const judge = async (changed: string, ...args: string[]): Promise<{ status: number; text: string }> => {
    const path = join(folder, 'export.ndjson')
    await writeFile(path, changed)
    const said: string[] = []
    const io = { out: (one: string) => said.push(one), err: (one: string) => said.push(one), env: {} }
    return { status: await main(['audit', 'public', path, '--keys', keys, ...args], io), text: said.join('\n') }
  }
  t.match(await judge(text), { status: 0, text: /Checked 8 records/ })
  const record = records[2]
  const ask = (field: string, of = head?.export) =>
    api.fetch(`/v1/records/${record?.id}/disclosure?export=${of}&field=${field}`)
  const disclosed = await (await ask('applicant_name')).text()
  t.match(JSON.parse(disclosed), { value: `${NAME} 2`, field: 'applicant_name', record: record?.id })
  const paper = join(folder, 'disclosed.json')
  await writeFile(paper, disclosed)
  t.match(await judge(text, '--disclosed', paper), { status: 0, text: /1 disclosures/ })
  for (const [what, changed] of [
    ['another value', disclosed.replace('Zebulon', 'Zebedee')],
    ['another field', disclosed.replace('applicant_name', 'submission_id')],
    ['another record', disclosed.replace(record?.id ?? '', records[3]?.id ?? '')],
    ['another export', disclosed.replace(head?.export ?? '', second)]
  ] as const) {
    await writeFile(paper, changed)
    t.match(await judge(text, '--disclosed', paper), { status: 1, text: /FAILED disclosure:/ }, what)
  }
  for (const [what, changed, check] of [
    ['a shown value', text.replace('"P-11"', '"P-12"'), 'fields-root'],
    ['a commitment', text.replace(/"commitment":"../, '"commitment":"00'), 'fields-root'],
    ['a record left out', text.split('\n').toSpliced(3, 1).join('\n'), 'records-root'],
    ['a state', text.replace('"state":"accepted"', '"state":"rejected"'), 'export-signature'],
    ['cut off', text.split('\n').slice(0, 5).join('\n'), 'export-form']
  ] as const) {
    t.not(changed, text)
    t.match(await judge(changed), { status: 1, text: new RegExp(`FAILED ${check}:`) }, what)
  }

  const { rows: entries } = await pipeline.pool.query<{ seq: number; told: { detail: { [name: string]: unknown } } }>(
    `select seq, convert_from(entry, 'UTF8')::jsonb as told from audit_entry where subject_id = $1 order by seq`,
    [head?.export]
  )
  const released = text.slice(0, text.lastIndexOf('{"signature"'))
  t.match(entries[0]?.told, { actor: /^key:/, kind: 'export', detail: { shown: ['P0', 'P1'], batch: null } })
  t.match(entries[1]?.told, { detail: { records: 8, digest: sha(released) } }, 'the entry names what was released')
  t.match(await (await api.fetch(`/v1/records/${record?.id}/history`)).text(), 'disclosure')

  await api.fetch(`/v1/records/${record?.id}/erase`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'if-match': '"1"' },
    body: JSON.stringify({ reason: 'subject_request' })
  })
  t.equal((await ask('applicant_name')).status, 410, 'nobody can disclose it any more')
  t.match(await take(), '"kept":"erased"')
  t.equal((await ask('applicant_name', second)).status, 410)
  const { pool, store } = pipeline.deps
  t.strictSame((await verify({ pool, store, payloads: true })).offenders, [])
  const reader = await api.keyFor({ scopes: ['read', 'review'] })
  const url = `/v1/audit/public-export?jurisdiction=${JURISDICTION}`
  t.equal((await api.fetch(url, { headers: { authorization: `Bearer ${reader}` } })).status, 403)
  // Who reads the log reads no personal values by it.
  const auditor = { headers: { authorization: `Bearer ${await api.keyFor({ scopes: ['audit'] })}` } }
  t.match(await json(await api.fetch(`${url}&show=P0,P2`, auditor)), { status: 403, code: 'SCOPE_MISSING' })
  const disclosure = `/v1/records/${second}/disclosure?export=${second}&field=applicant_name`
  t.match(await json(await api.fetch(disclosure, auditor)), { status: 403, code: 'SCOPE_MISSING' })
})
