import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../errors.ts'
import type { NewId } from '../../model/ids.ts'
import type { PayloadStore } from '../../storage/payload-store.ts'

export interface CopyDeps {
  readonly store: PayloadStore
  readonly newId: NewId
  /** Folder for copies of documents while they are read; private to this process. */
  readonly tempFolder: string
}

/** Copies a payload to a file of our own naming, checking its digest on the way, for as long as the work takes. */
export async function withPayloadCopy<T>(
  { store, newId, tempFolder }: CopyDeps,
  payload: { readonly payloadUri: string; readonly sha256: Buffer },
  work: (path: string) => Promise<T>
): Promise<T> {
  await mkdir(tempFolder, { recursive: true, mode: 0o700 })
  const path = join(tempFolder, newId())
  const digest = createHash('sha256')
  try {
    const source = await store.open(payload.payloadUri)
    source.on('data', (bytes: Buffer) => digest.update(bytes))
    await pipeline(source, createWriteStream(path, { mode: 0o600 }))
    if (!digest.digest().equals(payload.sha256)) {
      throw new AppError('PAYLOAD_CORRUPT', 'A payload is not what was received: its digest differs.')
    }
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}
