import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { AppError } from '../../errors.ts'
import type { Json } from '../../model/json.ts'
import { type PayloadStore, payloadKey } from '../../storage/payload-store.ts'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** Longer than any answer of an extraction process; a longer result was tampered with. */
const MAX_RESULT_BYTES = 64 * 1024 * 1024

/** What the row of a result says of its object. */
export interface ResultObject {
  readonly uri: string
  readonly outcome: { readonly ok: true; readonly bytes: number; readonly sha256: string }
}

/** Keeps an answer as one object of the store, durable and complete before anybody can know its address. */
export async function storeResult(
  store: PayloadStore,
  owner: { readonly jurisdiction: string; readonly id: string },
  answer: Buffer
): Promise<ResultObject> {
  const packed = await pack(answer, { level: constants.Z_BEST_SPEED })
  const spool = store.createSpool({ limitBytes: MAX_RESULT_BYTES })
  spool.end(packed)
  await finished(spool)
  const spooled = spool.result()
  const [uri = ''] = await store.commit([{ spooled, key: payloadKey(owner.jurisdiction, owner.id) }])
  return { uri, outcome: { ok: true, bytes: spooled.size, sha256: spooled.sha256.toString('hex') } }
}

/** Reads an answer back; undefined when its object is gone or is not what was stored. Throws when the store is away. */
export async function loadResult(store: PayloadStore, uri: string, outcome: Json): Promise<Buffer | undefined> {
  const { sha256 } = (outcome ?? {}) as { sha256?: Json }
  try {
    const packed = await buffer(await store.open(uri))
    if (createHash('sha256').update(packed).digest('hex') !== sha256) return undefined
    return await unpack(packed, { maxOutputLength: MAX_RESULT_BYTES })
  } catch (error) {
    if (error instanceof AppError && error.code === 'PAYLOAD_MISSING') return undefined
    throw error
  }
}
