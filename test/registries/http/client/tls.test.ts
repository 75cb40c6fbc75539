import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import t from 'tap'
import { createHttpClient } from '../../../../src/registries/http/client/guarded-client.ts'

const FOLDER = join(import.meta.dirname, '../../../fixtures/tls')
/** Made for this test: `openssl req -x509 … -subj /CN=registry.test -addext subjectAltName=DNS:registry.test`. */
const cert = await readFile(join(FOLDER, 'registry.cert.pem'), 'utf8')
const key = await readFile(join(FOLDER, 'registry.key.pem'), 'utf8')

t.test('a certificate must prove the name that is asked, by an authority that is trusted', async t => {
  let answered = 0
  const server = createServer({ key, cert }, (_, response) => {
    answered += 1
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const ask = (name: string) => {
    const { origin } = new URL(`https://${name}:${port}`)
    const policy = { origins: new Set([origin]), addresses: ['127.0.0.0/8'], connections: 1, maxBytes: 1000 }
    const http = createHttpClient(policy, {
      now: () => Date.now(),
      resolve: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
    })
    return http.send({ method: 'GET', url: new URL(origin), signal: AbortSignal.timeout(10_000) })
  }
  const refused = { name: 'RegistryFault', kind: 'configuration', code: 'certificate' }
  await t.rejects(ask('registry.test'), refused, 'nobody known has signed it')
  const trusted = getCACertificates('default')
  t.teardown(() => setDefaultCACertificates(trusted))
  setDefaultCACertificates([...trusted, cert])
  t.match(await ask('registry.test'), { status: 200, body: { ok: true } })
  await t.rejects(ask('other.test'), refused, 'it is for another name')
  await t.rejects(ask('127.0.0.1'), refused, 'it is for no address')
  t.equal(answered, 1, 'nothing was asked before the name was proven')
})
