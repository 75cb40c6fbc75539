import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { publicName, publishCheckpoints } from '../../../src/audit/log/publish.ts'
import { sealAll } from '../../../src/audit/log/seal.ts'
import { judgeSignatures, verifierOf } from '../../../src/audit/log/signing/signed-note.ts'
import { loadKeys } from '../../../src/audit/log/signing/signing-keys.ts'
import { testDatabase } from '../../helpers/database.ts'
import { silent } from '../../helpers/factory.ts'
import { insertCommits } from './commits.ts'

const KEY = generateKeyPairSync('ed25519').privateKey

interface Receiver {
  readonly url: string
  readonly stored: Map<string, string>
  readonly requests: IncomingMessage[]
  status: number | undefined
}

/** A server that keeps what is PUT and overwrites nothing. */
async function receiver(t: Test): Promise<Receiver> {
  const stored = new Map<string, string>()
  const requests: IncomingMessage[] = []
  const state: Receiver = { url: '', stored, requests, status: undefined }
  const take = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const path = request.url ?? ''
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const isThere = stored.has(path)
    if (state.status === undefined && !isThere) stored.set(path, Buffer.concat(parts).toString('utf8'))
    reply.statusCode = state.status ?? (isThere ? 412 : 201)
    reply.end()
  }
  const server: Server = createServer((request, reply) => {
    requests.push(request)
    if (request.method === 'GET') reply.end(stored.get(request.url ?? '') ?? '')
    else take(request, reply).catch(() => reply.destroy())
  })
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  t.teardown(() => server.close())
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/log` })
}

async function world(t: Test) {
  const { pool } = await testDatabase(t)
  const folder = t.testdir({})
  const there = await receiver(t)
  const destinations = [`file:${folder}`, there.url.replace('//', '//clerk:s%20cret@')]
  const publish = () => publishCheckpoints({ pool, destinations, logger: silent })
  const seal = async (count: number) => {
    await insertCommits(pool, '53033', count)
    await sealAll({ pool, origin: 'docket', keys: [KEY], retired: [] })
  }
  const states = async () =>
    (await pool.query('select destination, size, failures, fault from checkpoint_delivery order by 1')).rows
  return { pool, folder, there, publish, seal, states }
}

t.test('checkpoints arrive in a folder and by PUT, the newest of each jurisdiction', async t => {
  const { folder, there, publish, seal, states } = await world(t)
  await seal(3)
  await seal(2)
  t.equal(await publish(), 2)
  t.equal(await publish(), 0, 'nothing is sent twice')
  const note = await readFile(join(folder, '53033/5'), 'utf8')
  t.equal(judgeSignatures(note, [verifierOf('docket/53033', KEY)]), 'valid')
  t.equal(await readlink(join(folder, '53033/latest')), '5')
  t.same([...there.stored], [['/log/53033/5', note]])
  const [put] = there.requests
  t.equal(put?.headers['if-none-match'], '*')
  t.equal(put?.headers.authorization, `Basic ${Buffer.from('clerk:s cret').toString('base64')}`)
  await seal(1)
  t.equal(await publish(), 2)
  t.same((await readdir(join(folder, '53033'))).toSorted(), ['5', '6', 'latest'])
  t.same(await states(), [
    { destination: `file:${folder}`, size: 6, failures: 0, fault: null },
    { destination: there.url, size: 6, failures: 0, fault: null }
  ])
})

t.test('a destination that is away gets it later; one that has it already is served', async t => {
  const { pool, there, publish, seal, states } = await world(t)
  await seal(1)
  there.status = 500
  t.equal(await publish(), 1)
  t.match((await states())[1], { size: 0, failures: 1, fault: 'CHECKPOINT_REFUSED' })
  t.equal(await publish(), 0, 'it waits')
  await pool.query('update checkpoint_delivery set next_at = now()')
  there.status = undefined
  t.equal(await publish(), 1)
  await pool.query('delete from checkpoint_delivery')
  t.equal(await publish(), 2, 'what was delivered and not noted is found there')
})

t.test('a place that holds another tree of the same size refuses it, and keeps its own', async t => {
  const { pool, folder, there, publish, seal, states } = await world(t)
  await mkdir(join(folder, '53033'), { recursive: true })
  const other = 'docket/53033\n2\nBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n\n— docket/53033 AAAAAAAA\n'
  await writeFile(join(folder, '53033/2'), other)
  there.stored.set('/log/53033/2', other)
  await seal(2)
  t.equal(await publish(), 0)
  t.match(await states(), [{ fault: 'CHECKPOINT_REFUSED' }, { fault: 'CHECKPOINT_REFUSED' }])
  t.equal(await readFile(join(folder, '53033/2'), 'utf8'), other)
  t.same((await readdir(join(folder, '53033'))).toSorted(), ['2'])
  await pool.query('select 1')
})

t.test('names and passwords of destinations are not kept', async t => {
  t.equal(publicName('https://clerk:secret@example.org/log'), 'https://example.org/log')
})

t.test('the key is made once, for its owner only; several can be given', async t => {
  const dataFolder = t.testdir({})
  const none = { signingKey: undefined, keysFile: undefined, dataFolder }
  t.same((await loadKeys(none, false)).keys, [])
  const made = await Promise.all([1, 2, 3].map(() => loadKeys(none, true)))
  const pems = made.map(({ keys }) => String(keys[0]?.export({ type: 'pkcs8', format: 'pem' })))
  t.equal(new Set(pems).size, 1)
  const path = join(dataFolder, 'signing-key.pem')
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.same(await readdir(dataFolder), ['signing-key.pem'])
  const second = String(KEY.export({ type: 'pkcs8', format: 'pem' }))
  await writeFile(join(dataFolder, 'second.pem'), second)
  const both = { ...none, signingKey: `${path}, ${join(dataFolder, 'second.pem')}` }
  t.equal((await loadKeys(both, false)).keys.length, 2)
  t.equal((await loadKeys({ ...none, signingKey: `${pems[0]}${second}` }, false)).keys.length, 2)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  await writeFile(join(dataFolder, 'rsa.pem'), rsa)
  await writeFile(join(dataFolder, 'empty.pem'), '')
  for (const name of ['rsa.pem', 'empty.pem', 'nothing.pem'])
    await t.rejects(loadKeys({ ...none, signingKey: join(dataFolder, name) }, true), { code: 'CONFIG_INVALID' }, name)
  await t.rejects(loadKeys({ ...none, keysFile: join(dataFolder, 'rsa.pem') }, true), { code: 'CONFIG_INVALID' })
})
