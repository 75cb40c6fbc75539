import { ImageFault } from './image-fault.ts'

/** Bytes of one value of each type of TIFF 6.0: byte, text, short, long, rational and their signed forms. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
const RATIONAL = 5
const MOST_ENTRIES = 1000
const MOST_VALUES = 100_000

/** One directory of a TIFF: the facts of one picture. */
export interface TiffDirectory {
  /** The numbers under a tag; none when it is not there. */
  all(tag: number): readonly number[]
  /** The first of them. */
  first(tag: number, fallback: number): number
  /** The bytes under a tag. */
  bytes(tag: number): Buffer
}

/** The directories of a TIFF, one a picture, at most `most`. Throws an ImageFault for what is cut off, goes in a circle or has more. */
export function readDirectories(file: Buffer, most: number): TiffDirectory[] {
  const reader = readerOf(file)
  const directories: TiffDirectory[] = []
  const seen = new Set<number>()
  let at = reader.long(4)
  while (at !== 0) {
    if (seen.has(at)) throw new ImageFault('FILE_CORRUPT')
    if (directories.length >= most) throw new ImageFault('PAGE_LIMIT')
    seen.add(at)
    const entries = reader.short(at)
    if (entries === 0 || entries > MOST_ENTRIES) throw new ImageFault('FILE_CORRUPT')
    directories.push(directoryAt(reader, at + 2, entries))
    at = reader.long(at + 2 + entries * 12)
  }
  if (directories.length === 0) throw new ImageFault('FILE_CORRUPT')
  return directories
}

interface Reader {
  readonly file: Buffer
  short(at: number): number
  long(at: number): number
}

/** Reads numbers in the file's own order of bytes; what lies behind its end was cut off. */
function readerOf(file: Buffer): Reader {
  const little = file.subarray(0, 2).toString('latin1') === 'II'
  const within = (at: number, bytes: number): void => {
    if (at < 0 || at + bytes > file.length) throw new ImageFault('FILE_TRUNCATED')
  }
  return {
    file,
    short(at) {
      within(at, 2)
      return little ? file.readUInt16LE(at) : file.readUInt16BE(at)
    },
    long(at) {
      within(at, 4)
      return little ? file.readUInt32LE(at) : file.readUInt32BE(at)
    }
  }
}

interface Entry {
  readonly type: number
  readonly count: number
  readonly at: number
}

function directoryAt(reader: Reader, start: number, entries: number): TiffDirectory {
  const found = new Map<number, Entry>()
  for (let at = start; at < start + entries * 12; at += 12) {
    const type = reader.short(at + 2)
    const count = reader.long(at + 4)
    const bytes = count * (TYPE_BYTES[type] ?? 0)
    found.set(reader.short(at), { type, count, at: bytes <= 4 ? at + 8 : reader.long(at + 8) })
  }
  const all = (tag: number): number[] => {
    const entry = found.get(tag)
    if (!entry) return []
    if (entry.count > MOST_VALUES) throw new ImageFault('FILE_CORRUPT')
    return Array.from({ length: entry.count }, (_, index) => valueAt(reader, entry, index))
  }
  return {
    all,
    first: (tag, fallback) => all(tag)[0] ?? fallback,
    bytes(tag) {
      const entry = found.get(tag)
      if (!entry) return Buffer.alloc(0)
      return sliceOf(reader.file, entry.at, entry.count)
    }
  }
}

function valueAt(reader: Reader, { type, at }: Entry, index: number): number {
  const size = TYPE_BYTES[type] ?? 0
  const place = at + index * size
  if (type === RATIONAL) return reader.long(place) / Math.max(1, reader.long(place + 4))
  if (size === 2) return reader.short(place)
  if (size === 4) return reader.long(place)
  return reader.file[place] ?? 0
}

/** A part of the file; throws when it reaches beyond its end. */
export function sliceOf(file: Buffer, at: number, length: number): Buffer {
  if (at + length > file.length) throw new ImageFault('FILE_TRUNCATED')
  return file.subarray(at, at + length)
}
