import { execFile } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { sealAll } from '../../../../src/audit/log/seal.ts'
import { signNote, verifierOf, writeVerifier } from '../../../../src/audit/log/signing/signed-note.ts'
import { signedText } from '../../../../src/audit/receipt/form.ts'
import { main } from '../../../../src/cli/main.ts'
import { newSalt } from '../../../../src/model/ids.ts'
import { json, testApi } from '../../../helpers/app.ts'
import { JURISDICTION, sha } from '../../../helpers/factory.ts'
import { testPipeline } from '../../../helpers/pipeline.ts'

const PYTHON = join(import.meta.dirname, '../../../../tools/verify_receipt.py')
const KEY = generateKeyPairSync('ed25519').privateKey
const OTHER = generateKeyPairSync('ed25519').privateKey
const ORIGIN = `docket/${JURISDICTION}`

const permits = (from: number, count: number): string =>
  [
    'submission_id,permit_type_code,parcel_id,jurisdiction_fips,project_valuation',
    ...Array.from({ length: count }, (_, i) => `P-${from + i},BLDG,${i % 9 === 0 ? '' : `1234567${i}`},53033,1000.00`)
  ].join('\n')

interface Verdict {
  readonly status: number
  readonly text: string
}

const runPython = (args: readonly string[]): Promise<Verdict> =>
  new Promise(settle => {
    execFile('python3', [PYTHON, ...args], (error, stdout, stderr) =>
      settle({ status: error ? Number(error.code ?? 99) : 0, text: `${stdout}${stderr}` })
    )
  })

async function runOwn(args: readonly string[]): Promise<Verdict> {
  const lines: string[] = []
  const io = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line), env: {} }
  const status = await main(['audit', 'receipt', ...args], io)
  return { status, text: `${lines.join('\n')}\n` }
}

/** A receipt signed anew after a change: what somebody with the key could do, and the log still refuses. */
function signedAnew(text: string, key: KeyObject = KEY): string {
  const body = text.slice(0, text.lastIndexOf('"signature":'))
  const batch = /"id":"([^"]+)"/.exec(body)?.[1] ?? ''
  const note = signNote(signedText(ORIGIN, batch, Buffer.from(sha(body), 'hex')), ORIGIN, [key])
  return `${body}"signature":${JSON.stringify(note)}}\n`
}

t.test('receipts: refused before the end, verified by both, every altered one refused', async t => {
  const pipeline = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '20' })
  const api = await testApi(t, { on: pipeline, signing: { origin: 'docket', keys: [KEY] } })
  const folder = await mkdtemp(join(tmpdir(), 'docket-receipt-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const keys = join(folder, 'keys')
  await writeFile(keys, `${writeVerifier(verifierOf(ORIGIN, KEY))}\n`)
  const seal = () => sealAll({ pool: pipeline.pool, origin: 'docket', keys: [KEY], retired: [] })
  const name = 'june <b>& "July".csv'
  const batch = await pipeline.submit([
    { name, bytes: permits(0, 45), type: 'text/csv' },
    { name: 'again.csv', bytes: permits(40, 10), type: 'text/csv' }
  ])
  const path = `/v1/batches/${batch.id}/receipt`
  t.match(await json(await api.fetch(path)), { status: 409, code: 'NOT_SEALED' }, 'while it goes on')
  pipeline.work()
  await pipeline.finished(batch.id)
  t.match(await json(await api.fetch(path)), { status: 409, code: 'NOT_SEALED' }, 'before it is sealed')
  await seal()
  // A decision and a download later: chains of several entries, and one commit that holds entries of other batches too.
  const [held] = (await pipeline.records(batch.id)).filter(one => one.state === 'quarantined')
  const rejected = await api.fetch(`/v1/quarantine/${held?.id}/reject`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'if-match': '"1"' },
    body: JSON.stringify({ reason: 'FIELD_MISSING', comment: 'no' })
  })
  t.equal(rejected.status, 200, await rejected.clone().text())
  await (await api.fetch(`/v1/batches/${batch.id}/results.csv`)).text()
  await seal()

  const answer = await api.fetch(path)
  const text = await answer.text()
  t.equal(answer.headers.get('content-type')?.split(';')[0], 'application/json')
  const receipt = JSON.parse(text)
  t.match(receipt.batch, { id: batch.id, submitter: 'key:test', state: 'completed', profile: 'permit' })
  const subjects = receipt.sections.flatMap((one: { subjects: object[] }) => one.subjects)
  const files = subjects.filter((one: { kind: string }) => one.kind === 'file')
  t.match(files[0], { filename: name, size: Buffer.byteLength(permits(0, 45)), sha256: sha(permits(0, 45)) })
  const records = subjects.filter((one: { kind: string }) => one.kind === 'record')
  const stored = await pipeline.records(batch.id)
  t.strictSame(
    records.map((one: Record<string, unknown>) => [one['id'], one['state'], one['duplicate_of'], one['codes']]),
    stored.map(one => [one.id, one.state, one.duplicate_of, one.codes]),
    'every record with its fate'
  )
  t.ok(records.some((one: { state: string }) => one.state === 'rejected'))
  t.equal(receipt.totals.records, 55)
  t.equal(await (await api.fetch(path)).text(), text, 'the same as long as the checkpoint is')

  const judge = async (changed: string, n = 0): Promise<[Verdict, Verdict]> => {
    const file = join(folder, `${n}.json`)
    await writeFile(file, changed)
    return [await runOwn([file, '--keys', keys]), await runPython([file, '--keys', keys])]
  }
  const [own, python] = await judge(text)
  t.match(own, { status: 0, text: /55 records/ }, own.text)
  t.equal(python.text, own.text, 'the second verifier says the same')

  const other = JSON.stringify(records[3].id).slice(1, -1)
  const salted = newSalt() + newSalt()
  const line = (n: number) => text.split('\n')[n] ?? ''
  const without = (n: number) => text.split('\n').toSpliced(n, 1).join('\n')
  const changes: readonly (readonly [name: string, text: string, check: string])[] = [
    ['a byte of a name', text.replace('june', 'July'), 'receipt-signature'],
    ['signed by a stranger', signedAnew(text, OTHER), 'receipt-signature'],
    ['no signature', text.slice(0, text.lastIndexOf('"signature":')), 'receipt-form'],
    ['cut off', text.slice(0, text.length / 2), 'receipt-form'],
    ['more behind it', `${text}{}\n`, 'receipt-form'],
    ['a time', signedAnew(text.replace(receipt.batch.received_at, '2020-01-01T00:00:00.000000Z')), 'batch-facts'],
    ['another submitter', signedAnew(text.replace('"submitter":"key:test"', '"submitter":"key:x"')), 'batch-facts'],
    [
      'a digest of a file',
      signedAnew(text.replace(`"sha256":"${files[0].sha256}"`, `"sha256":"${salted}"`)),
      'file-facts'
    ],
    ['a fate', signedAnew(text.replace('"state":"quarantined"', '"state":"accepted"')), 'record-fate'],
    ['a code', signedAnew(text.replace(/"codes":\["[A-Z_]+"/, '"codes":["OTHER"')), 'record-fate'],
    ['a key', signedAnew(text.replace(`"key":"${records[3].key}"`, `"key":"${salted}"`)), 'record-fate'],
    [
      'another record',
      signedAnew(text.replace(`"kind":"record","id":"${other}"`, `"kind":"record","id":"${batch.id}"`)),
      'chain-missing'
    ],
    ['an entry', signedAnew(text.replace('key:test', 'key:tess')), 'batch-facts'],
    [
      'an entry of a record',
      signedAnew(text.replace(/(\\"kind\\":\\"record\\",\\"manifest\\":\\")p/, '$1q')),
      'commit-root'
    ],
    ['a leaf', signedAnew(text.replace('\\"entries\\":', '\\"entries\\":1')), 'log-path'],
    ['a path', signedAnew(text.replace(/"path":\["[^"]{4}/, '"path":["AAAA')), 'log-path'],
    ['a section left out', signedAnew(without(4)), 'totals'],
    ['the batch left out', signedAnew(without(1)), 'chain-missing'],
    ['a section twice', signedAnew(text.replace(line(3), `${line(3)}\n${line(3)}`)), 'subject-twice'],
    ['totals', signedAnew(text.replace('"records":55', '"records":54')), 'totals'],
    ['a checkpoint of another size', signedAnew(text.replace(/(docket\/53033\\n)\d+/, '$11')), 'checkpoint-signature']
  ]
  const judgeOne = async ([what, changed, check]: (typeof changes)[number], n: number): Promise<void> => {
    t.not(changed, text, what)
    for (const { status, text: said } of await judge(changed, n)) {
      t.equal(status, 1, what)
      t.ok(said.includes(`FAILED ${check}:`), `${what}: ${said}`)
    }
  }
  await Promise.all(changes.map(judgeOne))

  const page = await api.fetch(`${path}.html`)
  const html = await page.text()
  t.match(page.headers.get('content-security-policy'), /^default-src 'none'; style-src 'sha256-/)
  t.match(html, 'june &lt;b&gt;&amp; &quot;July&quot;.csv')
  t.notMatch(html, /<b>|<script/)
  t.ok(records.every((one: { id: string }) => html.includes(one.id)))

  const erased = await api.fetch(`/v1/records/${records[20].id}/erase`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'if-match': '"1"' },
    body: JSON.stringify({ reason: 'sent_in_error' })
  })
  t.equal(erased.status, 200)
  await seal()
  const later = await (await api.fetch(path)).text()
  t.match(later, /"erased_at":"\d{4}-/)
  for (const verdict of await judge(later, 99)) t.match(verdict, { status: 0 }, verdict.text)

  const stranger = await api.keyFor({ scopes: ['read'], jurisdictions: ['06037'] })
  t.equal((await api.fetch(path, { headers: { authorization: `Bearer ${stranger}` } })).status, 404)
  const dry = await pipeline.submit([{ name: 'dry.csv', bytes: permits(500, 3), type: 'text/csv' }], { dryRun: true })
  await pipeline.finished(dry.id)
  t.match(await json(await api.fetch(`/v1/batches/${dry.id}/receipt`)), { status: 409 })
})
