import type { Entry } from 'yauzl'
import { ArchiveFault } from './archive-fault.ts'
import type { DirectoryReader } from './directory-reader.ts'

/** Local headers are at least so long. */
export const HEADER_BYTES = 30
/** Where a local header says how long its name and its other fields are. */
const LENGTHS_AT = 26
const LOCAL_MARK = Buffer.from('PK\x03\x04')
/** What stands between two entries is looked through up to here; honest tools leave nothing there. */
const SEARCHED_BYTES = 64 * 1024
/** An entry needs a header and a name. */
const LEAST_ENTRY = HEADER_BYTES + 1

/** The unit behind an entry, as its own header has it; a descriptor of its sizes may follow. */
async function endOf(entry: Entry, reader: DirectoryReader): Promise<number> {
  const { relativeOffsetOfLocalHeader: header, compressedSize } = entry
  const lengths = await reader.bytesAt(header + LENGTHS_AT, 4)
  return header + HEADER_BYTES + lengths.readUInt16LE(0) + lengths.readUInt16LE(2) + compressedSize
}

async function checkGap(reader: DirectoryReader, from: number, to: number): Promise<void> {
  if (to - from < LEAST_ENTRY) return
  const bytes = await reader.bytesAt(from, Math.min(to - from, SEARCHED_BYTES))
  if (bytes.includes(LOCAL_MARK)) {
    throw new ArchiveFault('FILE_CORRUPT', 'The archive holds an entry that its directory does not list.')
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
  await checkGap(reader, 0, inOrder[0]?.relativeOffsetOfLocalHeader ?? directoryStart)
  for (const [at, entry] of inOrder.entries()) {
    const next = inOrder[at + 1]?.relativeOffsetOfLocalHeader ?? directoryStart
    const { relativeOffsetOfLocalHeader: header, fileNameLength, compressedSize } = entry
    if (next - (header + HEADER_BYTES + fileNameLength + compressedSize) < LEAST_ENTRY) continue
    await checkGap(reader, await endOf(entry, reader), next)
  }
}
