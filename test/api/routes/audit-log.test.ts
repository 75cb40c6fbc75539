import { createHash, generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { sealAll } from '../../../src/audit/log/seal.ts'
import { judgeSignatures, readCheckpoint, readNote, verifierOf } from '../../../src/audit/log/signing/signed-note.ts'
import { isConsistent, rootByInclusion } from '../../../src/audit/log/tree/paths.ts'
import { leafHash } from '../../../src/audit/merkle.ts'
import { testApi } from '../../helpers/app.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { testPipeline } from '../../helpers/pipeline.ts'

const KEY = generateKeyPairSync('ed25519').privateKey

const rows = (from: number, count: number): string =>
  [
    'submission_id,permit_type_code,parcel_id,jurisdiction_fips,project_valuation',
    ...Array.from({ length: count }, (_, i) => `P-${from + i},BLDG,${i % 7 === 0 ? '' : `1234567${i}`},53033,1000.00`)
  ].join('\n')

interface Checkpoint {
  readonly size: number
  readonly root: string
  readonly note: string
}
interface Proof {
  readonly checkpoint: Checkpoint
  readonly entries: readonly {
    readonly entry: string
    readonly hash: string
    readonly entry_index: number
    readonly commit_path: readonly string[]
    readonly commit: { readonly entries: number; readonly leaf: string }
    readonly leaf_index: number
    readonly log_path: readonly string[]
  }[]
}
interface Page {
  readonly data: readonly { readonly subject_id: string; readonly seq: number; readonly commit_id: string }[]
  readonly next_cursor: string | null
}

interface Answer<T> {
  readonly status: number
  readonly body: T
}

const hex = (path: readonly string[]): Buffer[] => path.map(hash => Buffer.from(hash, 'hex'))

/** Follows every step of a proof from the bytes of the entry to a signed root; answers what does not hold. */
function faultOf({ checkpoint, entries }: Proof): string | undefined {
  const told = readCheckpoint(readNote(checkpoint.note)?.text ?? '')
  if (judgeSignatures(checkpoint.note, [verifierOf(`docket/${JURISDICTION}`, KEY)]) !== 'valid') return 'signature'
  for (const one of entries) {
    const digest = createHash('sha256').update(one.entry).digest()
    if (digest.toString('hex') !== one.hash) return 'hash'
    const place = { index: one.entry_index, size: one.commit.entries }
    const root = rootByInclusion(leafHash(digest), place, hex(one.commit_path))
    const leaf = JSON.parse(one.commit.leaf) as { root: string; entries: number }
    if (root?.toString('hex') !== leaf.root || leaf.entries !== one.commit.entries) return 'commit'
    const at = { index: one.leaf_index, size: told?.size ?? 0 }
    if (!rootByInclusion(leafHash(Buffer.from(one.commit.leaf)), at, hex(one.log_path))?.equals(told?.root ?? digest))
      return 'log'
  }
  return entries.length > 0 ? undefined : 'nothing proved'
}

t.test('the log over HTTP: checkpoints, proofs, consistency, entries', async t => {
  const pipeline = await testPipeline(t)
  const api = await testApi(t, { on: pipeline })
  const get = async (path: string, key = api.admin) => {
    const answer = await api.fetch(path, { headers: { authorization: `Bearer ${key}` } })
    return { status: answer.status, body: await answer.json() }
  }
  const seal = () => sealAll({ pool: pipeline.pool, origin: 'docket', keys: [KEY], retired: [] })
  pipeline.work()
  const first = await pipeline.submit([{ name: 'a.csv', bytes: rows(0, 60), type: 'text/csv' }])
  await pipeline.finished(first.id)
  const [record] = await pipeline.records(first.id)
  const proofUrl = `/v1/records/${record?.id}/proof`
  t.match(await get(proofUrl), { status: 409, body: { code: 'NOT_SEALED' } })
  await seal()
  const second = await pipeline.submit([{ name: 'b.csv', bytes: rows(100, 3), type: 'text/csv' }])
  await pipeline.finished(second.id)

  await t.test('every record is proved', async t => {
    for (const { id } of await pipeline.records(first.id)) {
      const { status, body } = (await get(`/v1/records/${id}/proof`)) as Answer<Proof>
      t.equal(status, 200)
      t.equal(faultOf(body), undefined)
    }
    const { body } = (await get(proofUrl)) as Answer<Proof>
    const [entry] = body.entries
    if (!entry) throw new Error('no entry')
    const forged = { ...entry, entry: entry.entry.replace('"form":1', '"form":2') }
    t.equal(faultOf({ ...body, entries: [forged] }), 'hash', 'and another text is not')
    t.equal(faultOf({ ...body, entries: [{ ...entry, leaf_index: entry.leaf_index + 1 }] }), 'log')
    const [unsealed] = await pipeline.records(second.id)
    t.match(await get(`/v1/records/${unsealed?.id}/proof`), { status: 409, body: { code: 'NOT_SEALED' } })
  })

  await t.test('checkpoints are listed and consistent', async t => {
    await seal()
    const { body } = (await get(`/v1/checkpoints?jurisdiction=${JURISDICTION}`)) as Answer<{ data: Checkpoint[] }>
    const [newer, older] = body.data
    if (!newer || !older) throw new Error('two checkpoints were expected')
    const url = `/v1/checkpoints/consistency?jurisdiction=${JURISDICTION}&from=${older.size}&to=${newer.size}`
    const { body: proof } = (await get(url)) as Answer<{ path: string[] }>
    const head = ({ size, root }: Checkpoint) => ({ size, root: Buffer.from(root, 'hex') })
    t.equal(isConsistent(head(older), head(newer), hex(proof.path)), true)
    t.match(await get(`/v1/checkpoints/consistency?jurisdiction=${JURISDICTION}&from=1&to=99999`), { status: 404 })
    t.match(await get(`/v1/checkpoints/consistency?jurisdiction=${JURISDICTION}&from=9&to=3`), { status: 422 })
    const page = (await get(`/v1/checkpoints?jurisdiction=53033&limit=1`)) as Answer<{
      data: Checkpoint[]
      next_cursor: string
    }>
    const next = (await get(`/v1/checkpoints?jurisdiction=53033&limit=1&cursor=${page.body.next_cursor}`)) as Answer<{
      data: Checkpoint[]
    }>
    t.equal(next.body.data[0]?.size, older.size)
  })

  await t.test('pages of entries hold each entry once, and filters hold', async t => {
    const all = async (query: string): Promise<Page['data']> => {
      const found: Page['data'][number][] = []
      for (let cursor = ''; ; ) {
        const { body } = (await get(`/v1/audit?jurisdiction=${JURISDICTION}&limit=7&${query}${cursor}`)) as Answer<Page>
        found.push(...body.data)
        if (body.next_cursor === null) return found
        cursor = `&cursor=${body.next_cursor}`
      }
    }
    const count = async (where: string): Promise<number> =>
      (await pipeline.pool.query<{ n: number }>(`select count(*) as n from audit_trail ${where}`)).rows[0]?.n ?? 0
    const entries = await all('')
    t.equal(entries.length, await count(''))
    t.equal(new Set(entries.map(one => `${one.subject_id}/${one.seq}`)).size, entries.length)
    const member = (name: string, value: string) =>
      `where convert_from(entry, 'UTF8')::jsonb ->> '${name}' = '${value}'`
    t.equal((await all(`batch=${second.id}`)).length, await count(member('batch', second.id)))
    t.equal((await all('kind=file')).length, await count(member('kind', 'file')))
    t.equal((await all('actor=key:test')).length, await count(member('actor', 'key:test')))
    t.equal((await all(`subject=${record?.id}`)).length, 1)
    t.equal((await all('to=2000-01-01T00:00:00Z')).length, 0)
    t.equal((await all('from=2000-01-01T00:00:00Z')).length, entries.length)
  })

  await t.test('keys see their own jurisdiction only', async t => {
    const stranger = await api.keyFor({ scopes: ['audit', 'read'], jurisdictions: ['06037'] })
    const own = await api.keyFor({ scopes: ['audit'], jurisdictions: [JURISDICTION] })
    t.equal((await get(proofUrl, stranger)).status, 404)
    for (const path of ['/v1/audit', '/v1/checkpoints', '/v1/checkpoints/consistency?from=1&to=2']) {
      const joined = `${path}${path.includes('?') ? '&' : '?'}jurisdiction=${JURISDICTION}`
      t.match(await get(joined, stranger), { status: 403, body: { code: 'JURISDICTION_FORBIDDEN' } }, path)
      t.match(await get(path), { status: 422, body: { code: 'FIELD_INVALID' } }, `${path} without a jurisdiction`)
    }
    t.same(((await get('/v1/audit', stranger)) as Answer<Page>).body.data, [])
    t.equal((await get('/v1/audit', own)).status, 200, 'a key for one need not name it')
    const reader = await api.keyFor({ scopes: ['read'], jurisdictions: [JURISDICTION] })
    t.match(await get('/v1/audit', reader), { status: 403, body: { code: 'SCOPE_MISSING' } })
  })
})
