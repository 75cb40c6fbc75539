import { hash } from 'node:crypto'
import { AppError } from '../../../errors.ts'
import { readSome } from '../put-checkpoint.ts'
import { type Delivery, isSameTree, refused } from '../write-checkpoint.ts'
import { type S3Credentials, signRequest } from './sign-request.ts'

/** An object store of the S3 kind that checkpoints are brought to. */
export interface S3Settings extends S3Credentials {
  /** `https://host` without a path; buckets stand in the path. */
  readonly endpoint: string
  /** How long an object is locked, and how strictly; without it no lock is asked for. */
  readonly lock: { readonly mode: 'GOVERNANCE' | 'COMPLIANCE'; readonly days: number } | undefined
  /** The time, in milliseconds since 1970. */
  readonly now: () => number
}

const TIMEOUT_MS = 10_000
const DAY_MS = 86_400_000

const away = (what: string): AppError => new AppError('CHECKPOINT_REFUSED', `An object store of checkpoints ${what}.`)

/** `20130524T000000Z`. */
const timeOf = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')

async function request(
  settings: S3Settings,
  url: URL,
  what: { readonly method: 'PUT' | 'GET'; readonly body?: string; readonly headers?: Record<string, string> }
): Promise<Response> {
  const { method, body = '' } = what
  const unsigned = { method, url, headers: what.headers ?? {}, bodyDigest: hash('sha256', body, 'hex') }
  const headers = signRequest(unsigned, settings, timeOf(settings.now()))
  const init = { method, headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) } as const
  try {
    return await fetch(url, method === 'PUT' ? { ...init, body } : init)
  } catch {
    throw away('did not answer')
  }
}

function lockHeaders({ lock, now }: S3Settings): Record<string, string> {
  if (!lock) return {}
  return {
    'x-amz-object-lock-mode': lock.mode,
    'x-amz-object-lock-retain-until-date': new Date(now() + lock.days * DAY_MS).toISOString()
  }
}

/**
 * Puts `<prefix>/<jurisdiction>/<size>` into a bucket, as `s3://bucket/prefix` names them, asking that nothing be
 * overwritten and that the object be locked. One that is there is looked into: the same tree is fine, another is told of.
 * Throws `CHECKPOINT_REFUSED` for this and for any other answer.
 */
export async function putObject(
  settings: S3Settings,
  destination: string,
  { jurisdiction, size, note }: Delivery
): Promise<void> {
  const place = destination.slice('s3://'.length).replace(/\/$/, '')
  const url = new URL(settings.endpoint)
  url.pathname = `/${place}/${encodeURIComponent(jurisdiction)}/${size}`
  const response = await request(settings, url, {
    method: 'PUT',
    body: note,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'if-none-match': '*',
      // A store that locks objects asks for a checksum of their bytes.
      'x-amz-checksum-sha256': hash('sha256', note, 'base64'),
      ...lockHeaders(settings)
    }
  })
  await response.body?.cancel()
  if (response.ok) return
  // 409: another is putting it at this moment.
  if (response.status !== 412 && response.status !== 409) throw away(`answered ${response.status}`)
  const there = await request(settings, url, { method: 'GET' })
  if (!there.ok) throw away(`answered ${there.status}`)
  if (!isSameTree(await readSome(there), note)) throw refused(jurisdiction, size)
}
