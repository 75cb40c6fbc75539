import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Json } from '../../../../src/model/json.ts'
import type { Random } from '../../../normalize/properties/random.ts'
import { attributesOf, cellsOf, objectOf, type Reply } from './protocols.ts'
import { keyOf, rowsOf, WORLD } from './world.ts'

export interface Spoiling {
  readonly response: ServerResponse
  readonly reply: Reply
  readonly random: Random
  /** The address of a server of somebody else. */
  readonly elsewhere: string
  /** The path and query that were asked. */
  readonly target: string
}

type Spoil = (spoiling: Spoiling) => void

export const send = (
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Record<string, string> = {}
): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

const HTML = '<!doctype html><html><head><title>Sign in</title></head><body>{"features":[]}</body></html>'
const html =
  (status: number): Spoil =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': 'text/html' })
    response.end(HTML)
  }
const status =
  (code: number, headers: Record<string, string> = {}): Spoil =>
  ({ response }) =>
    send(response, code, { message: 'no' }, headers)

const text = ({ reply }: Spoiling): string => JSON.stringify(reply.body)
const half = (body: string): string => body.slice(0, Math.floor(body.length / 2))

const errorBody =
  (error: Json): Spoil =>
  ({ response, reply }) =>
    send(response, 200, reply.protocol === 'arcgis' ? { error } : { error: true, message: 'Internal error' })

/** The rows of a reply, and the reply with others in their place. */
function rowsIn({ protocol, body }: Reply): readonly Json[] {
  const all = body as { features?: Json[]; data?: { parcels?: Json[] } }
  return (
    (protocol === 'socrata' ? (body as readonly Json[]) : protocol === 'arcgis' ? all.features : all.data?.parcels) ??
    []
  )
}

function withRows({ protocol, body }: Reply, rows: readonly Json[]): Json {
  if (protocol === 'socrata') return rows
  const rest = body as { readonly [name: string]: Json }
  return protocol === 'arcgis' ? { ...rest, features: rows } : { ...rest, data: { parcels: rows } }
}

/** A row of a parcel that exists, in the form of the protocol. */
function someRow(protocol: Reply['protocol'], random: Random): Json {
  const [row] = rowsOf(keyOf(random.below(WORLD / 10) * 10 + 2))
  if (!row) throw new Error('there is such a parcel')
  if (protocol === 'socrata') return cellsOf(row)
  return protocol === 'arcgis' ? { attributes: attributesOf(row) } : objectOf(row)
}

/** Another question's answer, wholly or in part: what a cache in between gives that mixes questions up. */
const wrongKeys: Spoil = ({ response, reply, random }) => {
  const rows = rowsIn(reply)
  const kept = rows.slice(0, random.below(rows.length + 1))
  const others = Array.from({ length: rows.length - kept.length + 1 }, () => someRow(reply.protocol, random))
  // What says how many there are would give it away.
  const body = withRows(reply, [...kept, ...others])
  send(response, 200, reply.protocol === 'json' ? { ...(body as object), total: kept.length + others.length } : body)
}

/** Rows kept back, which the reply tells in its own way; in Socrata's nothing does, so there the JSON is cut. */
const truncated: Spoil = spoiling => {
  const { response, reply, random } = spoiling
  if (reply.protocol === 'socrata') return cutJson(spoiling)
  const rows = rowsIn(reply)
  const body = withRows(reply, rows.slice(0, random.below(rows.length + 1)))
  if (reply.protocol === 'arcgis') return send(response, 200, { ...(body as object), exceededTransferLimit: true })
  send(response, 200, { ...(body as object), total: rows.length + 1 })
}

const cutJson: Spoil = spoiling => {
  spoiling.response.writeHead(200, { 'content-type': 'application/json' })
  spoiling.response.end(half(text(spoiling)))
}

const NAMES: Readonly<Record<string, string>> = { ZONE: 'ZONING', zoning: 'zone_info' }

/** A column that has another name than when the registry was configured. */
const columnGone: Spoil = ({ response, reply }) => {
  if (reply.protocol === 'socrata') return send(response, 400, { code: 'query.soql.no-such-column', error: true })
  const renamed = JSON.stringify(reply.body).replaceAll(/"(ZONE|zoning)":/g, (_, name: string) => `"${NAMES[name]}":`)
  send(response, 200, JSON.parse(renamed) as Json)
}

/** Identifiers that have become numbers; zeros in front are gone. */
const idsAsNumbers: Spoil = ({ response, reply }) => {
  const body = JSON.stringify(reply.body).replaceAll(
    /"(PIN|pin|id)":"(\d+)"/g,
    (_, name: string, id: string) => `"${name}":${Number(id)}`
  )
  send(response, 200, JSON.parse(body) as Json)
}

const BOMB = gzipSync(`{"features":[${' '.repeat(40_000_000)}]}`)
const packed =
  (bytes: Buffer): Spoil =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(bytes)
  }

const oversize: Spoil = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = (): void => {
    if (!response.destroyed && response.write(' '.repeat(65_536))) setImmediate(more)
    else response.once('drain', more)
  }
  more()
}

const drip: Spoil = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}

const resetInside: Spoil = spoiling => {
  const body = text(spoiling)
  spoiling.response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length + 1) })
  spoiling.response.write(half(body), () => spoiling.response.destroy())
}

const redirect =
  (code: number, to: (spoiling: Spoiling) => string): Spoil =>
  spoiling => {
    spoiling.response.writeHead(code, { location: to(spoiling) })
    spoiling.response.end()
  }

/** A slow reply is right all the same. */
const slow: Spoil = ({ response, reply, random }) => {
  setTimeout(() => send(response, reply.status, reply.body), 5 + random.below(30))
}

/** Everything a registry may do but answer, by name. */
export const FAULTS: Readonly<Record<string, Spoil>> = {
  slow,
  hang: () => undefined,
  drip,
  reset: ({ response }) => response.socket?.resetAndDestroy(),
  resetInside,
  cutJson,
  cutGzip: spoiling => packed(gzipSync(text(spoiling)).subarray(0, -9))(spoiling),
  gzipBomb: packed(BOMB),
  oddEncoding: ({ response }) => send(response, 200, [], { 'content-encoding': 'br' }),
  oversize,
  html: html(200),
  htmlUnavailable: html(503),
  jsonAsHtml: spoiling => {
    spoiling.response.writeHead(200, { 'content-type': 'text/html' })
    spoiling.response.end(text(spoiling))
  },
  latin1: ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(Buffer.from('{"features":[{"attributes":{"PIN":"\xe9"}}]}', 'latin1'))
  },
  empty: ({ response }) => response.writeHead(200, { 'content-type': 'application/json' }).end(),
  nothing: ({ response }) => send(response, 200, {}),
  nullReply: ({ response }) => send(response, 200, null),
  oddRows: ({ response, reply }) => send(response, 200, withRows(reply, [...rowsIn(reply), null])),
  errorInside: errorBody({ code: 400, message: 'Cannot perform query. Invalid query parameters.', details: [] }),
  failedInside: errorBody({ code: 400, message: 'Failed to execute query.', details: [] }),
  busyInside: errorBody({ code: 500, message: 'Request limit reached, try again in 1 sec', details: [] }),
  missingInside: errorBody({ code: 404, message: 'Service Parcels/FeatureServer not found', details: [] }),
  tokenInside: errorBody({ code: 499, message: 'Token Required', details: [] }),
  staleTokenInside: errorBody({ code: 498, message: 'Invalid Token', details: [] }),
  truncated,
  wrongKeys,
  columnGone,
  idsAsNumbers,
  accepted: status(202),
  noContent: ({ response }) => response.writeHead(204).end(),
  unauthorized: status(401),
  forbidden: status(403),
  missing: status(404),
  tooMany: status(429, { 'retry-after': '1' }),
  internal: status(500),
  badGateway: html(502),
  gatewayTimeout: html(504),
  redirectAway: redirect(307, ({ elsewhere, target }) => `${elsewhere}${target}`),
  redirectToLogin: redirect(302, () => '/login'),
  redirectRound: redirect(307, ({ target }) => target)
}
