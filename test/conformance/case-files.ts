import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deployment } from './deployment.ts'
import type { Expectation, Outcome } from './judge.ts'

export interface Case {
  readonly id: string
  readonly profile: string
  readonly jurisdiction: string
  /** The one file is the whole body, of this content type. */
  readonly raw?: string
  /** Needs more than one plain request, and has a test of its own. */
  readonly manual?: boolean
  readonly files: readonly string[]
  readonly expect: Expectation
}

const FOLDER = join(import.meta.dirname, '../fixtures/cases')

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
}

/** The media type a client would declare for a file of this name. */
export const mediaTypeOf = (name: string): string =>
  MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'

export const caseBytes = (id: string, file: string): Promise<Buffer<ArrayBuffer>> => readFile(join(FOLDER, id, file))

export async function readCases(): Promise<Case[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true })
  const ids = entries.filter(entry => entry.isDirectory()).map(entry => entry.name)
  return Promise.all(
    ids.toSorted().map(async id => ({ id, ...JSON.parse((await caseBytes(id, 'case.json')).toString('utf8')) }))
  )
}

/** Sends a case's one file as the whole body. */
export function sendRawCase(
  deployment: Deployment,
  one: Pick<Case, 'profile' | 'jurisdiction'>,
  request: { type: string; body: Buffer<ArrayBuffer> }
): Promise<Response> {
  const query = new URLSearchParams({ profile: one.profile, jurisdiction: one.jurisdiction })
  return deployment.api.fetch(`/v1/batches?${query.toString()}`, {
    method: 'POST',
    headers: { 'content-type': request.type },
    body: request.body
  })
}

async function send(deployment: Deployment, one: Case): Promise<Response> {
  const [first = ''] = one.files
  if (one.raw !== undefined) {
    return sendRawCase(deployment, one, { type: one.raw, body: await caseBytes(one.id, first) })
  }
  const body = new FormData()
  body.set('profile', one.profile)
  body.set('jurisdiction', one.jurisdiction)
  for (const file of one.files) {
    body.append('file', new Blob([await caseBytes(one.id, file)], { type: mediaTypeOf(file) }), file)
  }
  return deployment.api.fetch('/v1/batches', { method: 'POST', body })
}

/** What became of a request: its answer, and the batch and its records at their end when it was taken. */
export async function outcomeOf(deployment: Deployment, response: Response): Promise<Outcome> {
  const answer = { http: response.status, contentType: response.headers.get('content-type') ?? '' }
  const { id } = (await response.json()) as { readonly id?: string }
  if (!response.ok || id === undefined) return answer
  return { ...answer, batch: await deployment.ended(id), records: await deployment.records(id) }
}

/** Submits a case and follows it to its end. */
export const runCase = async (deployment: Deployment, one: Case): Promise<Outcome> =>
  outcomeOf(deployment, await send(deployment, one))
