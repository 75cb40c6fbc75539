import { createHmac, hash } from 'node:crypto'

/** Who signs, for which region of which service. */
export interface S3Credentials {
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
}

export interface UnsignedRequest {
  readonly method: string
  readonly url: URL
  /** Names in lower case; all of them are signed. */
  readonly headers: Readonly<Record<string, string>>
  /** Hex SHA-256 of the body. */
  readonly bodyDigest: string
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const sha256 = (text: string): string => hash('sha256', text, 'hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Percent-encoding as Signature Version 4 has it: everything but unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const pathOf = (url: URL): string =>
  url.pathname
    .split('/')
    .map(part => encode(decodeURIComponent(part)))
    .join('/')

const queryOf = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join('&')

/**
 * The headers of a request signed by AWS Signature Version 4 for S3, at a time as `20130524T000000Z`: those given, and
 * `x-amz-date`, `x-amz-content-sha256` and `authorization`.
 */
export function signRequest(
  request: UnsignedRequest,
  { accessKey, secretKey, region }: S3Credentials,
  time: string
): Record<string, string> {
  const { method, url, bodyDigest } = request
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-date': time,
    'x-amz-content-sha256': bodyDigest
  }
  const signed: Record<string, string> = { ...headers, host: url.host }
  const names = Object.keys(signed).toSorted()
  const lines = names.map(name => `${name}:${(signed[name] ?? '').trim().replaceAll(/ +/g, ' ')}\n`).join('')
  const canonical = [method, pathOf(url), queryOf(url), lines, names.join(';'), bodyDigest].join('\n')
  const day = time.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (made, part) => hmac(made, part),
    `AWS4${secretKey}`
  )
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join('\n')).toString('hex')
  const authorization = `${ALGORITHM} Credential=${accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...headers, authorization }
}
