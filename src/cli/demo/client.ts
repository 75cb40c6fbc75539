import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'

const Submitted = z.object({ id: z.string() })

const Batch = z.object({
  state: z.enum(['queued', 'processing', 'completed', 'cancelled']),
  counts: z.object({
    total: z.number(),
    pending: z.number(),
    accepted: z.number(),
    duplicate: z.number(),
    quarantined: z.number(),
    rejected: z.number(),
    cancelled: z.number()
  }),
  progress: z.number()
})
export type Batch = z.infer<typeof Batch>

const Records = z.object({
  data: z.array(
    z.object({
      filename: z.string(),
      line: z.number().nullable(),
      state: z.string(),
      reasons: z.array(
        z.object({ code: z.string(), severity: z.string(), field: z.string().nullable(), message: z.string() })
      )
    })
  ),
  next_cursor: z.string().nullish()
})
export type HeldRecord = z.infer<typeof Records>['data'][number]

export interface Submission {
  readonly profile: string
  readonly jurisdiction: string
  readonly source?: string | undefined
  /** Paths on this machine. */
  readonly files: readonly string[]
}

export interface Client {
  /** The batch's id, and whether it was answered from an earlier submission of the same content. */
  submit(submission: Submission): Promise<{ id: string; isReplay: boolean }>
  batch(id: string): Promise<Batch>
  /** The first records of a batch that wait for a person or were rejected. */
  notAccepted(id: string, limit: number): Promise<HeldRecord[]>
}

/** A client of the public API at `address`; uses nothing that a stranger with a key could not. */
export function createClient(address: string, key: string): Client {
  const request = async (path: string, init: RequestInit = {}): Promise<{ body: unknown; headers: Headers }> => {
    const response = await fetch(new URL(path, address), {
      ...init,
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(60_000)
    })
    if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path} was answered ${response.status}`)
    return { body: await response.json(), headers: response.headers }
  }
  return {
    async submit(submission) {
      const form = new FormData()
      form.set('profile', submission.profile)
      form.set('jurisdiction', submission.jurisdiction)
      if (submission.source !== undefined) form.set('source', submission.source)
      for (const path of submission.files) form.append('file', await openAsBlob(path), basename(path))
      const { body, headers } = await request('/v1/batches', { method: 'POST', body: form })
      return { id: Submitted.parse(body).id, isReplay: headers.get('idempotent-replayed') === 'true' }
    },
    async batch(id) {
      return Batch.parse((await request(`/v1/batches/${id}`)).body)
    },
    async notAccepted(id, limit) {
      const held: HeldRecord[] = []
      for (const state of ['quarantined', 'rejected']) {
        const { body } = await request(`/v1/batches/${id}/records?state=${state}&limit=${limit}`)
        held.push(...Records.parse(body).data)
      }
      return held.slice(0, limit)
    }
  }
}
