import { createHash, createHmac, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { publicName, publishCheckpoints } from '../../../../src/audit/log/publish.ts'
import { putObject, type S3Settings } from '../../../../src/audit/log/s3/put-object.ts'
import { signRequest } from '../../../../src/audit/log/s3/sign-request.ts'
import { sealAll } from '../../../../src/audit/log/seal.ts'
import { loadConfig } from '../../../../src/config.ts'
import { testDatabase } from '../../../helpers/database.ts'
import { silent } from '../../../helpers/factory.ts'
import { insertCommits } from '../commits.ts'

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const ACCESS = 'AKIAIOSFODNN7EXAMPLE'
const NOW = Date.UTC(2026, 10, 30, 12)
const sha = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

t.test('requests are signed as the examples of the documentation are', async t => {
  const credentials = { accessKey: ACCESS, secretKey: SECRET, region: 'us-east-1' }
  const signatureOf = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string
  ): string | undefined => {
    const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`)
    const signed = signRequest({ method, url, headers, bodyDigest: sha(body) }, credentials, '20130524T000000Z')
    return signed['authorization']?.split('Signature=')[1]
  }
  t.equal(
    signatureOf('GET', '/test.txt', { range: 'bytes=0-9' }, ''),
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'
  )
  const put = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }
  t.equal(
    signatureOf('PUT', '/test$file.text', put, 'Welcome to Amazon S3.'),
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd'
  )
  t.equal(signatureOf('GET', '/?lifecycle', {}, ''), 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543')
  t.equal(
    signatureOf('GET', '/?max-keys=2&prefix=J', {}, ''),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'
  )
})

/** Whether a request as it arrived is signed with the secret, computed from the bytes of the wire alone. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const given =
    /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? ''
    )
  const [, access, day = '', region = '', names = '', signature] = given ?? []
  if (access !== ACCESS || request.headers['x-amz-content-sha256'] !== sha(body)) return false
  const must = Object.keys(request.headers).filter(
    name => name === 'host' || name.startsWith('x-amz-') || name === 'if-none-match'
  )
  if (!must.every(name => names.split(';').includes(name))) return false
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const lines = names.split(';').map(name => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const canonical = `${request.method}\n${path}\n${query}\n${lines.join('')}\n${names}\n${sha(body)}`
  const time = String(request.headers['x-amz-date'])
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${sha(canonical)}`
  let key = Buffer.from(`AWS4${SECRET}`)
  for (const part of [day, region, 's3', 'aws4_request']) key = createHmac('sha256', key).update(part).digest()
  return createHmac('sha256', key).update(toSign).digest('hex') === signature
}

/** An object store that checks signatures and checksums and overwrites nothing. */
async function store(t: Test) {
  const objects = new Map<string, { body: string; headers: IncomingMessage['headers'] }>()
  const state = { status: undefined as number | undefined, refused: 0 }
  const answer = async (request: IncomingMessage): Promise<[number, string]> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const path = request.url ?? ''
    if (state.status !== undefined) return [state.status, '']
    const sum = request.headers['x-amz-checksum-sha256'] ?? createHash('sha256').update(body).digest('base64')
    if (!isSigned(request, body) || sum !== createHash('sha256').update(body).digest('base64')) {
      state.refused += 1
      return [403, '']
    }
    const found = objects.get(path)
    if (request.method === 'GET') return found ? [200, found.body] : [404, '']
    if (found && request.headers['if-none-match'] === '*') return [412, '']
    objects.set(path, { body: body.toString(), headers: request.headers })
    return [200, '']
  }
  const server = createServer((request, reply) => {
    answer(request).then(
      ([status, body]) => reply.writeHead(status).end(body),
      () => reply.destroy()
    )
  })
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  t.teardown(() => server.close())
  return { objects, state, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

t.test('checkpoints go into a bucket once, locked; another tree of the same size is refused', async t => {
  const { objects, state, endpoint } = await store(t)
  const settings: S3Settings = {
    endpoint,
    region: 'eu-north-1',
    accessKey: ACCESS,
    secretKey: SECRET,
    lock: { mode: 'COMPLIANCE', days: 10 },
    now: () => NOW
  }
  const { pool } = await testDatabase(t)
  const key = generateKeyPairSync('ed25519').privateKey
  await insertCommits(pool, '53033', 3)
  await sealAll({ pool, origin: 'docket', keys: [key], retired: [] })
  const destination = 's3://county-log/a (copy)/b'.replace(' (copy)', '')
  const publish = () => publishCheckpoints({ pool, destinations: [destination], s3: settings, logger: silent })
  t.equal(await publish(), 1)
  t.equal(await publish(), 0, 'it is there')
  const object = objects.get('/county-log/a/b/53033/3')
  t.match(object?.headers, {
    'if-none-match': '*',
    'x-amz-object-lock-mode': 'COMPLIANCE',
    'x-amz-object-lock-retain-until-date': '2026-12-10T12:00:00.000Z',
    'x-amz-checksum-sha256': /=$/
  })
  t.equal(state.refused, 0)
  const delivery = { jurisdiction: '53033', size: 3, note: object?.body ?? '' }
  await putObject(settings, destination, delivery)
  const other = { ...delivery, note: delivery.note.replace(/\n3\n./, '\n3\nA') }
  await t.rejects(putObject(settings, destination, other), {
    code: 'CHECKPOINT_REFUSED',
    message: /another checkpoint/
  })
  t.equal(objects.get('/county-log/a/b/53033/3')?.body, delivery.note, 'nothing is overwritten')
  await t.rejects(putObject({ ...settings, secretKey: 'x' }, destination, { ...delivery, size: 4 }), {
    code: 'CHECKPOINT_REFUSED'
  })
  t.equal(state.refused, 1, 'a false signature is seen')
  state.status = 503
  await t.rejects(putObject(settings, destination, { ...delivery, size: 5 }), { message: /503/ })
  const spaced = await store(t)
  await putObject({ ...settings, endpoint: spaced.endpoint, lock: undefined }, 's3://b', {
    ...delivery,
    jurisdiction: 'x-y'
  })
  t.notOk(spaced.objects.get('/b/x-y/3')?.headers['x-amz-object-lock-mode'])
  await t.rejects(putObject({ ...settings, endpoint: 'http://127.0.0.1:1' }, destination, delivery), {
    message: /did not answer/
  })
  t.equal(publicName(destination), destination)
})

t.test('a bucket is only named with its store', async t => {
  const asked = { DOCKET_CHECKPOINTS: 's3://county-log/a' }
  t.throws(() => loadConfig(asked), { code: 'CONFIG_INVALID', message: /DOCKET_S3_ENDPOINT/ })
  const whole = {
    ...asked,
    DOCKET_S3_ENDPOINT: 'https://objects.example',
    DOCKET_S3_ACCESS_KEY: 'a',
    DOCKET_S3_SECRET_KEY: 'b',
    DOCKET_S3_LOCK: 'compliance:30'
  }
  t.match(loadConfig(whole).log, {
    destinations: ['s3://county-log/a'],
    s3: { lock: { mode: 'COMPLIANCE', days: 30 } }
  })
  for (const wrong of [
    { DOCKET_S3_ENDPOINT: 'http://objects.example' },
    { DOCKET_S3_LOCK: 'for ever' },
    { DOCKET_CHECKPOINTS: 's3://UPPER' }
  ]) {
    t.throws(() => loadConfig({ ...whole, ...wrong }), { code: 'CONFIG_INVALID' })
  }
})
