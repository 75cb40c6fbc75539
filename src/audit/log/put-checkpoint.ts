import { AppError } from '../../errors.ts'
import { type Delivery, isSameTree, refused } from './write-checkpoint.ts'

const TIMEOUT_MS = 10_000
/** Longest answer that is read to compare a checkpoint that is there already, in bytes. */
const MAX_ANSWER = 100_000

const basic = (url: URL): Record<string, string> =>
  url.username === ''
    ? {}
    : {
        authorization: `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`
      }

const away = (what: string): AppError => new AppError('CHECKPOINT_REFUSED', `A destination of checkpoints ${what}.`)

async function request(url: URL, init: RequestInit): Promise<Response> {
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  const headers = { ...basic(url), ...(init.headers as Record<string, string>) }
  try {
    return await fetch(plain, { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch {
    throw away('did not answer')
  }
}

/** The beginning of an answer, as much as a checkpoint can have. */
export async function readSome(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    parts.push(part)
    bytes += part.length
    if (bytes > MAX_ANSWER) break
  }
  return Buffer.concat(parts).toString('utf8')
}

/**
 * PUTs `<address>/<jurisdiction>/<size>`, asking that nothing be overwritten (`If-None-Match: *`). A 412 is looked into:
 * the same tree is fine, another is told of. Throws `CHECKPOINT_REFUSED` for this and for any other answer.
 */
export async function putCheckpoint(address: string, { jurisdiction, size, note }: Delivery): Promise<void> {
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(jurisdiction)}/${size}`
  const response = await request(url, {
    method: 'PUT',
    body: note,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'if-none-match': '*' }
  })
  await response.body?.cancel()
  if (response.ok) return
  if (response.status !== 412) throw away(`answered ${response.status}`)
  const there = await request(url, { method: 'GET' })
  if (!there.ok || !isSameTree(await readSome(there), note)) throw refused(jurisdiction, size)
}
