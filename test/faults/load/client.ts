import { setTimeout as delay } from 'node:timers/promises'
import type { Chance } from '../harness/random.ts'
import { JURISDICTION, KEY } from '../harness/system.ts'
import type { Submission } from './content.ts'
import type { History, Operation, Outcome } from './history.ts'

export interface Answer {
  readonly outcome: Outcome
  readonly status: number
  readonly batchId?: string
  readonly replayed: boolean
  /** Seconds to wait, when the answer says. */
  readonly retryAfter: number | undefined
  readonly ms: number
}

export const HEADERS = { authorization: `Bearer ${KEY}` } as const

/** Statuses that say that nothing was taken; all others that are no success leave it open. */
const REFUSED = new Set([400, 401, 403, 404, 413, 415, 422])

export interface CallOptions {
  readonly timeoutMs?: number
  readonly jurisdiction?: string
}

function requestOf(key: string, { profile, kind, type, filename, bytes }: Submission, jurisdiction: string) {
  const query = new URLSearchParams({ profile, jurisdiction })
  const headers = { ...HEADERS, 'idempotency-key': key }
  if (kind !== 'document') {
    return {
      query,
      init: { method: 'POST', headers: { ...headers, 'content-type': type }, body: new Uint8Array(bytes) }
    }
  }
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(bytes)], { type }), filename)
  return { query, init: { method: 'POST', headers, body } }
}

/** Sends it once, and says what is known afterwards. */
export async function sendOnce(
  address: string,
  key: string,
  submission: Submission,
  { timeoutMs = 15_000, jurisdiction = JURISDICTION }: CallOptions = {}
): Promise<Answer> {
  const { query, init } = requestOf(key, submission, jurisdiction)
  const begun = performance.now()
  const done = (answer: Omit<Answer, 'ms'>): Answer => ({ ...answer, ms: performance.now() - begun })
  try {
    const response = await fetch(`${address}/v1/batches?${query.toString()}`, {
      ...init,
      signal: AbortSignal.timeout(timeoutMs)
    })
    const body = (await response.json()) as { readonly id?: string }
    const { status } = response
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
    const rest = {
      status,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      retryAfter: Number.isNaN(retryAfter) ? undefined : retryAfter
    }
    if (status === 202 && body.id !== undefined) return done({ ...rest, outcome: 'ok', batchId: body.id })
    return done({ ...rest, outcome: REFUSED.has(status) ? 'fail' : 'unknown' })
  } catch {
    return done({ outcome: 'unknown', status: 0, replayed: false, retryAfter: undefined })
  }
}

export interface ClientOptions extends CallOptions {
  readonly name: string
  readonly address: () => string
  readonly history: History
  readonly chance: Chance
  /** Most calls under one key before it is left unknown, to be settled later. */
  readonly tries: number
}

/** Sends until it is known what became of it, always under the same key; after `tries` it is left open. */
export async function submit(options: ClientOptions, key: string, submission: Submission): Promise<Operation> {
  const { name, address, history, chance, tries } = options
  const operation = history.operation(key, submission)
  for (let at = 0; at < tries; at += 1) {
    history.invoke(name, operation)
    const answer = await sendOnce(address(), key, submission, options)
    history.complete(name, operation, answer)
    if (answer.outcome !== 'unknown') break
    // Jitter, so that clients that failed together do not come back together.
    const seconds = Math.min(answer.retryAfter ?? 0.2 * 2 ** at, 8)
    await delay(1000 * seconds * (0.5 + chance.next()))
  }
  return operation
}

/** Settles what was left open, by sending the same again under the same key. Answers how many there were. */
export async function resolveUnknown(options: ClientOptions): Promise<number> {
  const open = options.history.of('unknown')
  for (const { key, submission } of open) await submit({ ...options, tries: 12 }, key, submission)
  return open.length
}
