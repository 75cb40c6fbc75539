import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Pool } from '../../db/pool.ts'
import {
  findOwnedPayloads,
  listFilePayloads,
  listResultObjects,
  PAYLOAD_PAGE,
  readDayAgo,
  type StoredFile
} from '../../db/verify/payloads.ts'
import { AppError } from '../../errors.ts'
import type { CheckName } from './checks.ts'
import type { Tally } from './tally.ts'

/** What verification needs of a payload store. */
export interface PayloadReader {
  /** Throws `PAYLOAD_MISSING`. */
  size(uri: string): Promise<number>
  open(uri: string): Promise<Readable>
  listPayloads(before: Date): AsyncIterable<{ readonly uri: string; readonly key: string }>
}

/** Payloads looked at at once: enough to hide a remote store's latency, few enough to leave it room. */
const PARALLEL = 8
const NIL = '00000000-0000-0000-0000-000000000000'

interface PayloadDeps {
  readonly pool: Pool
  readonly store: PayloadReader
  readonly tally: Tally
}

type Fault = readonly [CheckName, string]

async function digestOf(store: PayloadReader, uri: string): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const part of await store.open(uri)) hash.update(part as Buffer)
  return hash.digest()
}

/** What is stored for a file: what came, and what was unpacked from it once and is read by its chunks. */
interface StoredObject {
  readonly uri: string
  readonly size: number
  readonly sha256: Buffer
  /** What its bytes were when they were right: `received`, `unpacked`. */
  readonly was: string
  readonly key: string
}

const objectsOf = (jurisdiction: string, file: StoredFile): StoredObject[] => {
  const key = `${jurisdiction}/${file.id}`
  const payload = { ...file, uri: file.payloadUri, was: 'received', key }
  if (file.unpacked === null) return [payload]
  const sha256 = Buffer.from(file.unpacked.sha256, 'hex')
  return [payload, { ...file.unpacked, sha256, was: 'unpacked', key: `${key}.unpacked` }]
}

async function payloadFault(
  store: PayloadReader,
  jurisdiction: string,
  file: StoredFile,
  readAll: boolean
): Promise<Fault | undefined> {
  for (const object of objectsOf(jurisdiction, file)) {
    const fault = await objectFault(store, object, readAll)
    if (fault) return fault
  }
  return undefined
}

async function objectFault(store: PayloadReader, object: StoredObject, readAll: boolean): Promise<Fault | undefined> {
  const { uri, was } = object
  if (!uri.endsWith(object.key)) return ['payload-missing', "its address is not the file's own"]
  try {
    const size = await store.size(uri)
    if (size !== object.size) return ['payload-size', `${size} bytes stored, ${object.size} ${was}`]
    if (!readAll) return undefined
    const digest = await digestOf(store, uri)
    return digest.equals(object.sha256) ? undefined : ['payload-digest', `the bytes are not what was ${was}`]
  } catch (error) {
    if (error instanceof AppError && error.code === 'PAYLOAD_MISSING') {
      return ['payload-missing', 'the store does not have it']
    }
    throw error
  }
}

async function checkSome(
  { store, tally }: PayloadDeps,
  jurisdiction: string,
  files: readonly StoredFile[],
  readAll: boolean
): Promise<void> {
  const faults = await Promise.all(files.map(file => payloadFault(store, jurisdiction, file, readAll)))
  for (const [n, fault] of faults.entries()) {
    if (fault) tally.add(fault[0], jurisdiction, { subject: files[n]?.id ?? '', message: fault[1] })
  }
}

/**
 * Checks that every file of a jurisdiction has its payload with the size received and, with `readAll`, the digest.
 * Answers how many files there were. Throws what the store throws when it is away.
 */
export async function checkPayloads(deps: PayloadDeps, jurisdiction: string, readAll: boolean): Promise<number> {
  let seen = 0
  let after = NIL
  for (;;) {
    const files = await listFilePayloads(deps.pool, jurisdiction, after)
    for (let i = 0; i < files.length; i += PARALLEL) {
      await checkSome(deps, jurisdiction, files.slice(i, i + PARALLEL), readAll)
    }
    seen += files.length
    const last = files.at(-1)
    if (!last || files.length < PAYLOAD_PAGE) return seen
    after = last.id
  }
}

/** Checks in the same way that every result of reading a document is there, as it was stored. Answers how many. */
export async function checkResults(deps: PayloadDeps, jurisdiction: string, readAll: boolean): Promise<number> {
  let seen = 0
  let after = ''
  for (;;) {
    const results = await listResultObjects(deps.pool, jurisdiction, after)
    for (const { uri, size, sha256 } of results) {
      const key = uri.slice(uri.indexOf(`${jurisdiction}/`))
      const object = { uri, size, sha256: Buffer.from(sha256, 'hex'), was: 'read from a document', key }
      const fault = await objectFault(deps.store, object, readAll)
      if (fault) deps.tally.add(fault[0], jurisdiction, { subject: key, message: fault[1] })
    }
    seen += results.length
    const last = results.at(-1)
    if (!last || results.length < PAYLOAD_PAGE) return seen
    after = last.uri
  }
}

/** Checks that every payload older than a day belongs to a file, or is what was read from one, of one jurisdiction or of all. */
export async function checkOrphans(deps: PayloadDeps, jurisdiction: string | undefined): Promise<void> {
  const { pool, store, tally } = deps
  let page: { uri: string; key: string }[] = []
  const settle = async (): Promise<void> => {
    const owned = await findOwnedPayloads(pool, page)
    for (const { uri, key } of page) {
      const message = 'is stored for more than a day and belongs to no file'
      if (!owned.has(uri)) tally.add('payload-orphan', key.split('/', 1)[0] ?? '', { subject: key, message })
    }
    page = []
  }
  for await (const payload of store.listPayloads(await readDayAgo(pool))) {
    if (jurisdiction !== undefined && !payload.key.startsWith(`${jurisdiction}/`)) continue
    page.push(payload)
    if (page.length === PAYLOAD_PAGE) await settle()
  }
  if (page.length > 0) await settle()
}
