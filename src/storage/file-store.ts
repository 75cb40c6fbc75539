import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { crashPoint } from '../crash-points.ts'
import { AppError } from '../errors.ts'
import type { NewId } from '../model/ids.ts'
import { FileSpool } from './file-spool.ts'
import type { ByteRange, CommitItem, PayloadStore, Spool, StoredPayload } from './payload-store.ts'
import { readError, storeError } from './store-error.ts'

export interface FileStoreOptions {
  readonly folder: string
  readonly newId: NewId
}

const SPOOL = 'spool'
const SCHEME = 'file:'
/** What a key may look like: a jurisdiction and an id, both of which intake has checked or made. */
const KEY = /^(?:\d{2,7}|[a-z][a-z0-9-]{1,39})\/[0-9a-f-]{36}(?:\.unpacked)?$/
const SPOOL_NAME = /^[0-9a-f-]{36}$/

/** Syncs in flight at once: enough to let the file system join them, few enough to leave threads for others. */
const PARALLEL_SYNCS = 4

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const pathOfSpool = (folder: string, name: string): string => {
  if (!SPOOL_NAME.test(name)) throw new AppError('INTERNAL', 'A spool was asked for under a name that is not one.')
  return join(folder, SPOOL, name)
}

const pathOfKey = (folder: string, key: string): string => {
  if (!KEY.test(key)) throw new AppError('INTERNAL', 'A payload was asked for under a key that is not one.')
  return join(folder, key)
}

const pathOfUri = (folder: string, uri: string): string => {
  if (!uri.startsWith(SCHEME)) throw new AppError('PAYLOAD_MISSING', 'A payload lies in another kind of store.')
  return pathOfKey(folder, uri.slice(SCHEME.length))
}

/** Makes the folder of a jurisdiction and its entry in the parent durable. */
async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 })
  if (made) await sync(dirname(path))
}

/** A folder is made when a rename says that it is not there: asking first would cost every file a call. */
async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: unknown) => {
    if (readError(error).code !== 'PAYLOAD_MISSING') throw error
    await makeFolder(dirname(to))
    await rename(from, to)
  })
}

async function inBatches<T>(items: readonly T[], size: number, work: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += size) await Promise.all(items.slice(i, i + size).map(work))
}

async function commitFiles(folder: string, items: readonly CommitItem[]): Promise<string[]> {
  const moves = items.map(item => ({
    from: pathOfSpool(folder, item.spooled.name),
    to: pathOfKey(folder, item.key),
    uri: `${SCHEME}${item.key}`
  }))
  const folders = [...new Set(moves.map(move => dirname(move.to)))]
  try {
    await inBatches(moves, PARALLEL_SYNCS, async ({ from, to }) => {
      await sync(from).catch((error: unknown) => {
        throw readError(error)
      })
      crashPoint('store.file-synced')
      await moveFile(from, to)
      crashPoint('store.file-moved')
    })
    for (const path of folders) await sync(path)
    crashPoint('store.folder-synced')
  } catch (error) {
    await Promise.allSettled(moves.flatMap(move => [rm(move.from, { force: true }), rm(move.to, { force: true })]))
    throw storeError(error)
  }
  return moves.map(move => move.uri)
}

async function replaceFile(from: string, to: string): Promise<void> {
  try {
    await sync(from)
    await rename(from, to)
    await sync(dirname(to))
  } catch (error) {
    throw storeError(error)
  }
}

async function openFile(path: string, range: ByteRange): Promise<Readable> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw readError(error)
  })
  return handle.createReadStream({
    ...(range.start === undefined ? {} : { start: range.start }),
    ...(range.end === undefined ? {} : { end: range.end }),
    highWaterMark: 256 * 1024
  })
}

async function* payloadsBefore(folder: string, before: Date): AsyncIterable<StoredPayload> {
  for (const jurisdiction of await readdir(folder, { withFileTypes: true })) {
    if (!jurisdiction.isDirectory() || jurisdiction.name === SPOOL) continue
    for (const name of await readdir(join(folder, jurisdiction.name))) {
      const key = `${jurisdiction.name}/${name}`
      if (!KEY.test(key)) continue
      const found = await stat(join(folder, key)).catch(() => undefined)
      if (found && found.mtime < before) yield { uri: `${SCHEME}${key}`, key }
    }
  }
}

async function spoolBefore(folder: string, before: Date): Promise<string[]> {
  const names = (await readdir(join(folder, SPOOL))).filter(name => SPOOL_NAME.test(name))
  const old: string[] = []
  for (const name of names) {
    const found = await stat(join(folder, SPOOL, name)).catch(() => undefined)
    if (found && found.mtime < before) old.push(name)
  }
  return old
}

async function checkFolder(folder: string, name: string): Promise<void> {
  const path = pathOfSpool(folder, name)
  try {
    const handle = await open(path, 'wx', 0o600)
    try {
      await handle.write('docket')
      await handle.sync()
    } finally {
      await handle.close()
      await rm(path, { force: true })
    }
  } catch (error) {
    throw new AppError('STORE_UNAVAILABLE', 'The payload store cannot be written to.', { cause: error })
  }
}

/**
 * The payload store in a folder of a file system: `spool/` for files that are arriving and `<jurisdiction>/<file id>`
 * for those that have. Only its owner can read it (0700, 0600). Throws `STORE_UNAVAILABLE` when it cannot be made.
 */
export async function createFileStore({ folder, newId }: FileStoreOptions): Promise<PayloadStore> {
  await mkdir(join(folder, SPOOL), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new AppError('STORE_UNAVAILABLE', 'The folder of the payload store cannot be made.', { cause: error })
  })
  return {
    createSpool({ limitBytes }): Spool {
      const name = newId()
      return new FileSpool({ name, path: pathOfSpool(folder, name), limitBytes })
    },
    commit: items => commitFiles(folder, items),
    replace: (spooled, uri) => replaceFile(pathOfSpool(folder, spooled.name), pathOfUri(folder, uri)),
    discard: async name => rm(pathOfSpool(folder, name), { force: true }),
    open: async (uri, range = {}) => openFile(pathOfUri(folder, uri), range),
    size: async uri =>
      stat(pathOfUri(folder, uri)).then(
        found => found.size,
        (error: unknown) => {
          throw readError(error)
        }
      ),
    remove: async uri => rm(pathOfUri(folder, uri), { force: true }),
    listSpool: before => spoolBefore(folder, before),
    listPayloads: before => payloadsBefore(folder, before),
    check: () => checkFolder(folder, newId())
  }
}
