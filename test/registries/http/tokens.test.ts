import t, { type Test } from 'tap'
import type { Json } from '../../../src/model/json.ts'
import { createLayer } from '../../../src/registries/http/arcgis/layer.ts'
import { createTokens } from '../../../src/registries/http/arcgis/tokens.ts'
import type { HttpCall, HttpClient, HttpReply } from '../../../src/registries/http/client/guarded-client.ts'
import { arcgisSettings } from './server/settings.ts'

const URL_OF_TOKENS = 'https://registry.test/tokens/generateToken'
const SECRET = '{"username":"clerk","password":"hush"}'
const signal = new AbortController().signal
const ok = (body: Json): HttpReply => ({ status: 200, body, retryAfterMs: undefined })

/** A server that hands out numbered tokens and takes only those that `isGood` says. */
function tokenServer(isGood: (token: string) => boolean) {
  let given = 0
  const calls: string[] = []
  const http: HttpClient = {
    async send({ url, body }: HttpCall) {
      const form = new URLSearchParams(body?.text)
      calls.push(url.pathname.split('/').at(-1) ?? '')
      if (url.href === URL_OF_TOKENS) {
        given += 1
        return form.get('password') === 'hush'
          ? ok({ token: `t${given}`, expires: 3_600_000 * given })
          : ok({ error: { code: 400, message: 'Invalid username or password.' } })
      }
      return isGood(form.get('token') ?? '')
        ? ok({ features: [] })
        : ok({ error: { code: 498, message: 'Invalid Token' } })
    }
  }
  return { http, calls }
}

function layerOf(t: Test, isGood: (token: string) => boolean, secret = SECRET) {
  const server = tokenServer(isGood)
  let now = 0
  const settings = arcgisSettings('https://registry.test', { auth: { generateToken: URL_OF_TOKENS } })
  const tokens = createTokens(settings.auth, { http: server.http, secret, now: () => now })
  const layer = createLayer(settings.url, settings, { http: server.http, tokens })
  t.teardown(() => server.calls.splice(0))
  return { ask: () => layer.query({}, signal), calls: server.calls, wait: (ms: number) => (now += ms) }
}

t.test('a token is got once and kept until shortly before its end', async t => {
  const { ask, calls, wait } = layerOf(t, () => true)
  await ask()
  await ask()
  t.strictSame(calls.splice(0), ['generateToken', 'query', 'query'])
  wait(3_600_000 - 60_000)
  await ask()
  t.strictSame(calls, ['generateToken', 'query'])
})

t.test('one that is refused is got anew, once', async t => {
  const { ask, calls } = layerOf(t, token => token !== 't1')
  t.strictSame(await ask(), { rows: [], more: false })
  t.strictSame(calls.splice(0), ['generateToken', 'query', 'generateToken', 'query'])
  const never = layerOf(t, () => false)
  await t.rejects(never.ask(), { kind: 'configuration', code: 'arcgis_498' })
  t.strictSame(never.calls, ['generateToken', 'query', 'generateToken', 'query'])
})

t.test('a name or password that is refused is a fault of configuration', async t => {
  const { ask, calls } = layerOf(t, () => true, '{"username":"clerk","password":"wrong"}')
  await t.rejects(ask(), {
    kind: 'configuration',
    code: 'token_refused',
    message: 'The registry failed: token_refused.'
  })
  t.strictSame(calls, ['generateToken'])
})

t.test('of calls that need a token at the same time one gets it', async t => {
  const { ask, calls } = layerOf(t, () => true)
  await Promise.all([ask(), ask(), ask()])
  t.strictSame(calls.toSorted(), ['generateToken', 'query', 'query', 'query'])
})
