import { z } from 'zod'
import type { Json } from '../../../model/json.ts'
import { Address, mappingShape, Network } from '../mapping/rules.ts'

/** A JSON pointer (RFC 6901). */
const Pointer = z.string().regex(/^(?:\/[^/]{0,200}){0,20}$/, 'is a JSON pointer such as /data/0/name')

const { key: Key, ...rest } = mappingShape(Pointer)

const Header = z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, 'is the name of a header')
/** Those that carry credentials, which stand in secrets, and those that are made for each request. */
const PlainHeader = Header.refine(
  name =>
    !/^(?:(?:proxy-)?authorization|cookie|host|connection|content-length|transfer-encoding|accept-encoding)$/i.test(
      name
    ),
  'is no header that settings may hold: credentials belong in a secret'
)
const CREDENTIAL = /^(?:\$\$app_token|(?:access|app|auth)?[_-]?token|api[_-]?key|secret|password)$/i
/** Addresses are written down by servers and proxies, so nothing secret stands in them. */
const PlainAddress = Address.refine(
  text => [...(URL.parse(text)?.searchParams.keys() ?? [])].every(name => !CREDENTIAL.test(name)),
  'holds no credentials: they belong in a secret'
)
const Scalar = z.union([z.string().max(200), z.number(), z.boolean(), z.null()])

/** A reply that says a thing at a place. Something that is not there counts as null. */
const Says = z.strictObject({ pointer: Pointer, equals: Scalar })

/**
 * What a registry with an HTTP interface of its own needs: how a question is written, and where in the reply the rows, their
 * key and their values stand. In `url` and `body`, `{key}` stands for one key, `{keys}` for all of a call, `{asOf}` for the
 * day asked about.
 */
export const JsonSettings = z.strictObject({
  adapter: z.literal('http'),
  url: PlainAddress,
  method: z.enum(['GET', 'POST']).default('GET'),
  /** Sent as JSON. A text that is `{keys}` and nothing else becomes a list of them. */
  body: z.json().optional(),
  headers: z.record(PlainHeader, z.string().regex(/^[\x20-\x7e]{0,500}$/)).default({}),
  /** Between keys in an address. */
  separator: z.string().min(1).max(4).default(','),
  keysPerCall: z.number().int().min(1).max(1000).default(1),
  /** Where the rows stand: a list of objects, or one object. */
  rows: Pointer.default(''),
  /** The key of a row; it may be left out only where there is one answer for all, as with fee schedules. */
  key: Key.optional(),
  ...rest,
  /** The reply that says that there is no such key. Without it a 404 is a fault. */
  noMatch: Says.extend({ status: z.number().int().min(200).max(499).default(404) }).optional(),
  /** What says that no rows were kept back: a place with a value, or a place with the number of rows. */
  whole: z.union([Says, z.strictObject({ count: Pointer })]).optional(),
  auth: z.union([z.enum(['bearer', 'basic']), z.strictObject({ header: Header })]).optional(),
  network: Network
})

export type JsonSettings = z.infer<typeof JsonSettings> & { readonly body?: Json | undefined }
