import type { Entry } from 'yauzl'
import { ArchiveFault } from './archive-fault.ts'
import type { DirectoryReader } from './directory-reader.ts'

/** Local headers are at least so long. */
export const HEADER_BYTES = 30
/** Where a local header says how long its name and its other fields are. */
const LENGTHS_AT = 26
const LOCAL_MARK = Buffer.from('PK\x03\x04')
/** Bytes between entries that are looked through at a time, and in all: honest tools leave next to none there. */
const WINDOW_BYTES = 1024 * 1024
const SEARCHED_BYTES = 64 * WINDOW_BYTES
/** An entry needs a header and a name. */
const LEAST_ENTRY = HEADER_BYTES + 1

/** The unit behind an entry, as its own header has it; a descriptor of its sizes may follow. */
async function endOf(entry: Entry, reader: DirectoryReader): Promise<number> {
  const { relativeOffsetOfLocalHeader: header, compressedSize } = entry
  const lengths = await reader.bytesAt(header + LENGTHS_AT, 4)
  return header + HEADER_BYTES + lengths.readUInt16LE(0) + lengths.readUInt16LE(2) + compressedSize
}

/** Looks through the bytes between entries for one that is not listed, all of them. */
class Gaps {
  readonly #reader: DirectoryReader
  #left = SEARCHED_BYTES

  constructor(reader: DirectoryReader) {
    this.#reader = reader
  }

  async check(from: number, to: number): Promise<void> {
    if (to - from < LEAST_ENTRY) return
    this.#left -= to - from
    if (this.#left < 0) {
      throw new ArchiveFault('FILE_CORRUPT', `More than ${SEARCHED_BYTES} bytes of the archive belong to no entry.`)
    }
    // Windows overlap, so that a mark across their border is seen.
    for (let at = from; to - at >= LOCAL_MARK.length; at += WINDOW_BYTES) {
      const bytes = await this.#reader.bytesAt(at, Math.min(to - at, WINDOW_BYTES + LOCAL_MARK.length - 1))
      if (bytes.includes(LOCAL_MARK)) {
        throw new ArchiveFault('FILE_CORRUPT', 'The archive holds an entry that its directory does not list.')
      }
    }
  }
}

/**
 * Holds an archive with an entry that its directory does not list, as two archives behind one another or one that was
 * changed in place have: who reads the directory would leave it out without a word. Only the bytes that no listed entry
 * takes are looked at, each entry by its own header where room for another one is left.
 */
export async function checkUnlisted(
  reader: DirectoryReader,
  entries: readonly Entry[],
  directoryStart: number
): Promise<void> {
  const inOrder = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  const gaps = new Gaps(reader)
  await gaps.check(0, inOrder[0]?.relativeOffsetOfLocalHeader ?? directoryStart)
  for (const [at, entry] of inOrder.entries()) {
    const next = inOrder[at + 1]?.relativeOffsetOfLocalHeader ?? directoryStart
    const { relativeOffsetOfLocalHeader: header, fileNameLength, compressedSize } = entry
    if (next - (header + HEADER_BYTES + fileNameLength + compressedSize) < LEAST_ENTRY) continue
    await gaps.check(await endOf(entry, reader), next)
  }
}
