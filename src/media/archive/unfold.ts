import { pipeline, type Readable } from 'node:stream'
import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib'
import type { OpenRange } from '../zip-source.ts'
import { ArchiveFault } from './archive-fault.ts'

/** Most output bytes per input byte; text of tables unfolds 5 to 40 fold, the densest deflate can tell 1032 fold. */
const RATIO = 200
/** Output from which the ratio is looked at: short texts may repeat themselves. */
const RATIO_FROM_BYTES = 1e6

export interface Folded {
  readonly open: OpenRange
  /** First byte of the compressed data, and how many there are. */
  readonly start: number
  readonly size: number
  /** Most bytes that may come out. */
  readonly limit: number
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** What zlib says of the data; anything else comes from where the data lies and is passed on. */
function asFault(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'Z_BUF_ERROR') return new ArchiveFault('FILE_TRUNCATED', 'The compressed data ends before its end.')
  return code.startsWith('Z_') ? new ArchiveFault('FILE_CORRUPT', 'The compressed data is damaged.') : error
}

/** Counts what really comes out. */
async function* counted(pieces: AsyncIterable<Buffer>, { size, limit }: Folded): AsyncGenerator<Buffer> {
  let out = 0
  for await (const piece of pieces) {
    out += piece.length
    if (out > limit) throw new ArchiveFault('FILE_TOO_LARGE', `It unfolds to more than ${limit} bytes.`)
    if (out > RATIO_FROM_BYTES && out > size * RATIO) {
      throw new ArchiveFault('FILE_TOO_LARGE', `It unfolds to more than ${RATIO} times its size.`)
    }
    yield piece
  }
}

async function* through(folded: Folded, unfolder: Gunzip | InflateRaw): AsyncGenerator<Buffer> {
  const { open, start, size } = folded
  const source: Readable = await open({ start, end: start + size - 1 })
  // An error reaches whoever reads the unfolder; the callback keeps it from being thrown a second time.
  pipeline(source, unfolder, () => undefined)
  try {
    yield* counted(unfolder as AsyncIterable<Buffer>, folded)
  } catch (error) {
    throw asFault(source.errored ?? error)
  } finally {
    source.destroy()
  }
}

const PIECE_BYTES = 64 * 1024

/** Unfolds deflated data of at least one byte. Throws `ArchiveFault`, and what `open` throws. */
export async function* inflate(folded: Folded): AsyncGenerator<Buffer> {
  const unfolder = createInflateRaw({ chunkSize: PIECE_BYTES })
  yield* through(folded, unfolder)
  if (unfolder.bytesWritten < folded.size) {
    throw new ArchiveFault('FILE_CORRUPT', 'The compressed data ends before the place its archive names.')
  }
}

/** Data stored as it is, under the same limits. */
export async function* stored({ open, start, size, limit }: Folded): AsyncGenerator<Buffer> {
  if (size > limit) throw new ArchiveFault('FILE_TOO_LARGE', `It holds more than ${limit} bytes.`)
  for await (const piece of await open({ start, end: start + size - 1 })) yield piece as Buffer
}

/**
 * Unfolds a gzip file of any number of members. Zeros after the last one are padding; any other bytes there mean that
 * something else was joined to it and would be lost: then it throws like for damaged data.
 */
export async function* gunzip(folded: Folded): AsyncGenerator<Buffer> {
  const unfolder = createGunzip({ chunkSize: PIECE_BYTES })
  yield* through(folded, unfolder)
  const { open, start, size } = folded
  if (unfolder.bytesWritten >= size) return
  for await (const piece of await open({ start: start + unfolder.bytesWritten, end: start + size - 1 })) {
    if ((piece as Buffer).some(byte => byte !== 0)) {
      throw new ArchiveFault('FILE_CORRUPT', 'Other bytes follow the compressed data.')
    }
  }
}
