import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as requestPlain } from 'node:http'
import { request as requestTls, Agent as TlsAgent } from 'node:https'
import { isIP } from 'node:net'
import type { Json } from '../../../model/json.ts'
import { RegistryFault } from '../../registry.ts'
import { type AddressCheck, createAddressCheck } from './addresses.ts'
import { faultOfAbort, faultOfError } from './faults.ts'
import { checkPeer, guardedLookup, type Resolve } from './guarded-connection.ts'
import { readBytes, readJson } from './read-body.ts'
import { readRetryAfter } from './retry-after.ts'

/** What one registry's calls may do. */
export interface NetworkPolicy {
  /** `protocol//host:port` of the places that may be asked, as `URL.origin` gives them. */
  readonly origins: ReadonlySet<string>
  /** Ranges (CIDR) that may be connected to although they are not public. */
  readonly addresses: readonly string[]
  /** Connections to one host at once; further calls wait for one. */
  readonly connections: number
  /** Most bytes of an answer, packed and unpacked. */
  readonly maxBytes: number
}

export interface HttpCall {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly type: string; readonly text: string }
  readonly signal: AbortSignal
}

export interface HttpReply {
  readonly status: number
  /** Undefined when the answer is not JSON: HTML, another type, cut off in the middle. */
  readonly body: Json | undefined
  readonly retryAfterMs: number | undefined
}

/** Asks one registry. Throws `RegistryFault` for whatever keeps a whole answer from coming, and the signal's reason. */
export interface HttpClient {
  send(call: HttpCall): Promise<HttpReply>
}

/** What a client knows of the world outside. */
export interface ClientDeps {
  /** Milliseconds of the epoch. */
  readonly now: () => number
  /** `node:dns` unless given. */
  readonly resolve?: Resolve
}

const MOST_REDIRECTS = 3
/** Moved with method and content kept; after others a question would be asked without its keys. */
const REDIRECTS = new Set([307, 308])
const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304
/** A connection without use is closed after so long, before most servers close it. Calls in flight are not. */
const IDLE_MS = 4000

const refused = (code: string): RegistryFault => new RegistryFault('configuration', code)

/** Sends one request and gives its response when the head of it has come. */
type Respond = (call: HttpCall, url: URL) => Promise<IncomingMessage>

function createResponder(policy: NetworkPolicy, isAllowed: AddressCheck, resolve: Resolve | undefined): Respond {
  const options = {
    keepAlive: true,
    maxSockets: policy.connections,
    timeout: IDLE_MS,
    lookup: guardedLookup(isAllowed, resolve)
  }
  const plain = new PlainAgent(options)
  const tls = new TlsAgent(options)
  const begin = ({ method, headers, body, signal }: HttpCall, url: URL): ClientRequest => {
    const content = body && { 'content-type': body.type, 'content-length': String(Buffer.byteLength(body.text)) }
    const all = { accept: 'application/json', 'accept-encoding': 'gzip', ...headers, ...content }
    const shared = { method, headers: all, signal, maxHeaderSize: 16_384 }
    const isTls = url.protocol === 'https:'
    return isTls ? requestTls(url, { ...shared, agent: tls }) : requestPlain(url, { ...shared, agent: plain })
  }
  return (call, url) =>
    new Promise((done, reject) => {
      const request = begin(call, url)
      request.on('socket', socket => checkPeer(socket, isAllowed))
      request.on('response', done)
      request.on('error', error => reject(request.reusedSocket ? Object.assign(error, { reused: true }) : error))
      request.end(call.body?.text)
    })
}

/** A kept connection that the server closed as the question was sent: asked again at once, on a fresh one. */
async function respondAgain(respond: Respond, call: HttpCall, url: URL): Promise<IncomingMessage> {
  try {
    return await respond(call, url)
  } catch (error) {
    const { reused, code } = error as { reused?: boolean; code?: string }
    if (reused !== true || code !== 'ECONNRESET' || call.signal.aborted) throw error
    return await respond(call, url)
  }
}

/** The client of one registry. Its connections end by themselves when they are idle. */
export function createHttpClient(policy: NetworkPolicy, deps: ClientDeps): HttpClient {
  const isAllowed = createAddressCheck(policy.addresses)
  const respond = createResponder(policy, isAllowed, deps.resolve)

  const check = (url: URL): void => {
    if (!policy.origins.has(url.origin) || url.username !== '' || url.password !== '') throw refused('host_refused')
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isAllowed(host)) throw refused('address_refused')
  }

  const follow = async (call: HttpCall): Promise<HttpReply> => {
    let url = call.url
    for (let turn = 0; turn <= MOST_REDIRECTS; turn++) {
      check(url)
      const response = await respondAgain(respond, call, url)
      const status = response.statusCode ?? 0
      if (!isRedirect(status)) return await readReply(response, policy.maxBytes, deps.now())
      response.destroy()
      url = redirectOf(url, status, response.headers.location)
    }
    throw refused('redirect_loop')
  }

  return {
    async send(call) {
      try {
        call.signal.throwIfAborted()
        return await follow(call)
      } catch (error) {
        throw call.signal.aborted ? faultOfAbort(call.signal) : faultOfError(error)
      }
    }
  }
}

function redirectOf(from: URL, status: number, location: string | undefined): URL {
  const url = location === undefined ? null : URL.parse(location, from.href)
  if (!url || url.origin !== from.origin || !REDIRECTS.has(status)) throw refused('redirect_refused')
  return url
}

async function readReply(response: IncomingMessage, maxBytes: number, now: number): Promise<HttpReply> {
  const { statusCode = 0, headers } = response
  const retryAfterMs = readRetryAfter(headers['retry-after'], now)
  return {
    status: statusCode,
    retryAfterMs,
    body: readJson(await readBytes(response, maxBytes), headers['content-type'])
  }
}
