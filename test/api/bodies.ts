import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'

const HEADER = 'submission_id,permit_type_code,parcel_id,project_valuation\n'
export const CSV = `${HEADER}P-1,roof,66-001,1500.00\nP-2,deck,66-002,900.00\n`

/** Where the fields stand in a form. */
export type Order = 'first' | 'last'

export function formOf(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  fields: Readonly<Record<string, string>> = { profile: 'permit', jurisdiction: '53033' },
  order: Order = 'first'
): FormData {
  const body = new FormData()
  const addFields = (): void => {
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
  }
  if (order === 'first') addFields()
  for (const [name, bytes] of Object.entries(files)) body.append('file', new Blob([bytes], { type: 'text/csv' }), name)
  if (order === 'last') addFields()
  return body
}

export const fixture = (name: string): Promise<Buffer<ArrayBuffer>> =>
  readFile(join(import.meta.dirname, '../fixtures/upload', name))

export const CASE_TYPE = 'multipart/form-data; boundary=caseBoundary7Q'

/** One part as it stands in a body whose boundary is `X`. */
export const part = (disposition: string, content: string, type = ''): string =>
  `--X\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${content}\r\n`

export const filePart = (content = CSV, filename = 'a.csv'): string =>
  part(`name="file"; filename="${filename}"`, content, 'text/csv')

export const END = '--X--\r\n'

export interface RawRequest {
  readonly port: number
  readonly key: string
  readonly path?: string
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** What Content-Length says; by default the truth. */
  readonly length?: number
  /** Ends our side when the body is sent. */
  readonly halfClose?: boolean
}

export interface RawResponse {
  /** 0 when the connection ended without an answer. */
  readonly status: number
  readonly body: string
}

/** Sends bytes as they are over a connection of its own and answers what came back. */
export function sendRaw(request: RawRequest, body: string | Buffer): Promise<RawResponse> {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  const headers = {
    host: 'localhost',
    connection: 'close',
    authorization: `Bearer ${request.key}`,
    'content-type': request.contentType ?? 'multipart/form-data; boundary=X',
    'content-length': String(request.length ?? bytes.length),
    ...request.headers
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const path = request.path ?? '/v1/batches?profile=permit&jurisdiction=53033'
  return new Promise(resolve => {
    const socket = connect(request.port, '127.0.0.1')
    let answer = ''
    socket.on('data', block => {
      answer += block.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const [top = '', ...rest] = answer.split('\r\n\r\n')
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(top)?.[1] ?? 0),
        body: Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString('utf8')
      })
    })
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n`)
    socket.write(bytes)
    if (request.halfClose) socket.end()
  })
}
