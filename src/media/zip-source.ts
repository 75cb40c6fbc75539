import { PassThrough, pipeline, Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { asFault, OPEN_OPTIONS, RATIO_FROM_BYTES, safeName, tooManyEntries, ZipFault, type ZipLimits } from './unzip.ts'

/** Opens the bytes `start` to `end`, both included, of something stored. */
export type OpenRange = (range: { readonly start: number; readonly end: number }) => Promise<Readable>

/** An archive that is read where it lies, in flat memory. Names are compared without case. */
export interface ZipSource {
  has(name: string): boolean
  /**
   * The content of an entry while it inflates, counted against the limits of the whole archive and at its end checked
   * against its checksum. Throws `ZipFault` for what the archive is at fault for, and what `OpenRange` throws.
   */
  open(name: string): AsyncIterable<Buffer>
  close(): void
}

/** yauzl asks for ranges at once; a store opens them when it can. An error of the store is kept, to be told from the archive's. */
class RangeReader extends RandomAccessReader {
  readonly #open: OpenRange
  failure: unknown

  constructor(open: OpenRange) {
    super()
    this.#open = open
  }

  override _readStreamForRange(start: number, end: number): Readable {
    if (end <= start) return Readable.from([])
    const through = new PassThrough()
    const fail = (error: unknown): void => {
      this.failure ??= error
      through.destroy(error instanceof Error ? error : new Error('A range could not be read.'))
    }
    this.#open({ start, end: end - 1 }).then(
      source =>
        pipeline(source, through, error => {
          // A reader that stops early ends the source too; that is no failure of the store.
          if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') fail(error)
        }),
      fail
    )
    return through
  }
}

/** Opens an archive of `size` bytes. Throws `ZipFault`, and what `open` throws. */
export async function openZipSource(open: OpenRange, size: number, limits: ZipLimits): Promise<ZipSource> {
  const reader = new RangeReader(open)
  const faultOf = (error: unknown): unknown => reader.failure ?? asFault(error)
  try {
    const zip = await fromRandomAccessReaderPromise(reader, size, OPEN_OPTIONS)
    const entries = await listEntries(zip, limits)
    const budget = { bytes: limits.bytes }
    return {
      has: name => entries.has(name.toLowerCase()),
      open: name => inflate(zip, entries.get(name.toLowerCase()), { ratio: limits.ratio, budget, faultOf }),
      close: () => zip.close()
    }
  } catch (error) {
    throw faultOf(error)
  }
}

async function listEntries(zip: ZipFile, limits: ZipLimits): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  if (zip.entryCount > limits.entries) throw tooManyEntries(limits)
  for await (const entry of zip.eachEntry()) {
    if (entries.size >= limits.entries) throw tooManyEntries(limits)
    const name = safeName(entry).toLowerCase()
    if (entries.has(name)) throw new ZipFault('corrupt', 'The archive lists two entries of one name.')
    entries.set(name, entry)
  }
  return entries
}

interface Inflating {
  readonly ratio: number
  readonly budget: { bytes: number }
  readonly faultOf: (error: unknown) => unknown
}

async function* inflate(zip: ZipFile, entry: Entry | undefined, how: Inflating): AsyncGenerator<Buffer> {
  if (entry === undefined) throw new ZipFault('corrupt', 'The archive lacks an entry.')
  if (entry.isEncrypted()) throw new ZipFault('encrypted', 'An entry of the archive is protected by a password.')
  if (!entry.canDecodeFileData()) throw new ZipFault('corrupt', 'An entry uses a compression method that is not read.')
  let size = 0
  let crc = 0
  try {
    for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      size += piece.length
      how.budget.bytes -= piece.length
      if (how.budget.bytes < 0) throw new ZipFault('bytes', 'The archive unfolds to more bytes than the limit.')
      if (size > RATIO_FROM_BYTES && size > entry.compressedSize * how.ratio) {
        throw new ZipFault('ratio', `An entry unfolds to more than ${how.ratio} times its size.`)
      }
      crc = crc32(piece, crc)
      yield piece
    }
  } catch (error) {
    throw how.faultOf(error)
  }
  if (crc !== entry.crc32) throw new ZipFault('corrupt', 'An entry does not match its checksum.')
}
