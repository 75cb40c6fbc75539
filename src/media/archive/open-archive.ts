import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl'
import { cleanPath } from '../file-name.ts'
import type { OpenRange } from '../zip-source.ts'
import { ArchiveFault } from './archive-fault.ts'
import { DirectoryReader } from './directory-reader.ts'
import { type EntryKind, entryKind, entryName } from './entry-kind.ts'
import { inflate, stored } from './unfold.ts'
import { checkUnlisted, HEADER_BYTES } from './unlisted.ts'

/** One entry, in the order of the archive's directory. */
export interface ArchiveEntry {
  readonly kind: EntryKind
  /** For people: cleaned, `/` between folders. Two entries may have the same. */
  readonly path: string
  /** What the archive says it unfolds to; reading holds it to that. */
  readonly claimedBytes: number
  /**
   * The content as it is unfolded, at most `limit` bytes of it, checked against its size and checksum at the end. Throws
   * `ArchiveFault` for what the entry is at fault for, and what the store throws.
   */
  read(limit: number): AsyncGenerator<Buffer>
  /** The bytes as they stand in the archive: still compressed, still encrypted. */
  readStored(): AsyncGenerator<Buffer>
}

/** What each entry of the directory begins with. */
const ENTRY_MARK = Buffer.from('PK\x01\x02')

/** Names, comments and other fields of all entries together: they are kept in memory, and honest ones are short. */
const MAX_DIRECTORY_BYTES = 16e6

/** Bytes that belong to two entries are how a small archive unfolds without end; no honest tool writes any. */
function checkOverlap(zip: ZipFile, entries: readonly Entry[]): void {
  const inOrder = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  inOrder.forEach((entry, i) => {
    const next = inOrder[i + 1]?.relativeOffsetOfLocalHeader ?? zip.fileSize
    if (entry.relativeOffsetOfLocalHeader + HEADER_BYTES + entry.compressedSize > next) {
      throw new ArchiveFault('FILE_CORRUPT', 'Entries of the archive share the same bytes.')
    }
  })
}

/**
 * The count of entries is believed by whoever reads them, so that one too low, or one that ran over its 16 bits, would leave
 * files out without a word.
 */
async function checkCounted(zip: ZipFile, reader: DirectoryReader): Promise<void> {
  // A number; the types of the library say otherwise.
  const end = Number(zip.readEntryCursor)
  const next = await reader.bytesAt(end, ENTRY_MARK.length)
  if (next.equals(ENTRY_MARK)) {
    throw new ArchiveFault('FILE_CORRUPT', 'The directory of the archive lists more entries than it says.')
  }
}

async function listEntries(zip: ZipFile, maxEntries: number): Promise<Entry[]> {
  const entries: Entry[] = []
  const tooMany = () => new ArchiveFault('FILE_TOO_LARGE', `The archive lists more than ${maxEntries} entries.`)
  if (zip.entryCount > maxEntries) throw tooMany()
  let bytes = 0
  for await (const entry of zip.eachEntry()) {
    if (entries.push(entry) > maxEntries) throw tooMany()
    bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    if (bytes > MAX_DIRECTORY_BYTES)
      throw new ArchiveFault('FILE_TOO_LARGE', 'The directory of the archive is too long.')
  }
  checkOverlap(zip, entries)
  return entries
}

function checkReadable(entry: Entry): void {
  if (entry.isEncrypted()) throw new ArchiveFault('FILE_ENCRYPTED', 'Its entry in the archive has a password.')
  if (entry.canDecodeFileData()) return
  const { compressionMethod } = entry
  throw new ArchiveFault('FILE_TYPE_UNSUPPORTED', `Its compression, method ${compressionMethod}, is not read.`)
}

async function* checked(pieces: AsyncIterable<Buffer>, entry: Entry): AsyncGenerator<Buffer> {
  let size = 0
  let sum = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > entry.uncompressedSize) break
    sum = crc32(piece, sum)
    yield piece
  }
  if (size !== entry.uncompressedSize) throw new ArchiveFault('FILE_CORRUPT', 'Its size is not what the archive says.')
  if (sum !== entry.crc32) throw new ArchiveFault('FILE_CORRUPT', 'Its content does not match its checksum.')
}

/** An archive that is read where it lies: its directory is in memory, its content never is. */
class OpenedArchive {
  readonly #zip: ZipFile
  readonly #reader: DirectoryReader
  readonly #open: OpenRange

  constructor(zip: ZipFile, reader: DirectoryReader, open: OpenRange) {
    this.#zip = zip
    this.#reader = reader
    this.#open = open
  }

  async #start(entry: Entry): Promise<number> {
    try {
      return (await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true })).fileDataStart
    } catch {
      throw this.#reader.failure ?? new ArchiveFault('FILE_CORRUPT', 'Its place in the archive holds something else.')
    }
  }

  async *read(entry: Entry, limit: number): AsyncGenerator<Buffer> {
    checkReadable(entry)
    if (entry.uncompressedSize > limit) {
      throw new ArchiveFault('FILE_TOO_LARGE', `It is said to unfold to more than ${limit} bytes.`)
    }
    const { compressedSize: size, compressionMethod } = entry
    const folded = { open: this.#open, start: await this.#start(entry), size, limit }
    const unfold = compressionMethod === 0 ? stored : inflate
    if (size > 0) yield* checked(unfold(folded), entry)
    else if (entry.uncompressedSize > 0) throw new ArchiveFault('FILE_CORRUPT', 'It has no bytes in the archive.')
  }

  async *readStored(entry: Entry): AsyncGenerator<Buffer> {
    const { relativeOffsetOfLocalHeader: header, compressedSize } = entry
    // Without a header to say where the data begins, everything in its place is shown.
    const start = await this.#start(entry).catch((error: unknown) => {
      if (error instanceof ArchiveFault) return header
      throw error
    })
    const size = Math.min(start === header ? HEADER_BYTES + compressedSize : compressedSize, this.#zip.fileSize - start)
    if (size > 0) yield* stored({ open: this.#open, start, size, limit: size })
  }
}

export interface Archive {
  readonly entries: readonly ArchiveEntry[]
  close(): void
}

function toArchive(zip: ZipFile, opened: OpenedArchive, entries: readonly Entry[]): Archive {
  return {
    entries: entries.map((entry, i) => {
      const name = entryName(entry)
      return {
        kind: entryKind(entry, name),
        path: cleanPath(name, i + 1),
        claimedBytes: entry.uncompressedSize,
        read: limit => opened.read(entry, limit),
        readStored: () => opened.readStored(entry)
      }
    }),
    close: () => zip.close()
  }
}

function directoryFault(error: unknown): ArchiveFault {
  if (error instanceof ArchiveFault) return error
  const lacksEnd = error instanceof Error && /end of central directory/i.test(error.message)
  return lacksEnd
    ? new ArchiveFault('FILE_TRUNCATED', 'The directory at the end of the archive is missing.')
    : new ArchiveFault('FILE_CORRUPT', 'The directory of the archive cannot be read.')
}

/**
 * Opens a ZIP archive of `size` bytes and lists its entries, of which it may have `maxEntries`. Throws `ArchiveFault`, and
 * what `open` throws.
 */
export async function openArchive(open: OpenRange, size: number, maxEntries: number): Promise<Archive> {
  const reader = new DirectoryReader(open, size)
  try {
    const zip = await fromRandomAccessReaderPromise(reader, size, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false
    })
    const directoryStart = Number(zip.readEntryCursor)
    const entries = await listEntries(zip, maxEntries)
    await checkCounted(zip, reader)
    await checkUnlisted(reader, entries, directoryStart)
    return toArchive(zip, new OpenedArchive(zip, reader, open), entries)
  } catch (error) {
    throw reader.failure ?? directoryFault(error)
  }
}
