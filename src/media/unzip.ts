import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, validateFileName, type ZipFile } from 'yauzl'
import type { ReasonCode } from '../model/reasons.ts'

/** Limits on what a ZIP may unfold to. All are counted while reading; sizes the archive claims are not believed. */
export interface ZipLimits {
  /** Most bytes all wanted entries together may inflate to. */
  readonly bytes: number
  /** Most entries the archive may list. */
  readonly entries: number
  /** Most output bytes per input byte of one entry, looked at after the first megabyte of output. */
  readonly ratio: number
}

/** An honest DOCX stays far below each: real ones inflate 3–20 fold, and few hold more than a hundred parts. */
export const ZIP_LIMITS: ZipLimits = { bytes: 256e6, entries: 2000, ratio: 200 }

/** Output of an entry from which its ratio is looked at. */
export const RATIO_FROM_BYTES = 1e6

export type ZipFaultKind = 'encrypted' | 'corrupt' | 'bytes' | 'entries' | 'ratio' | 'path'

const REASON_OF: Record<ZipFaultKind, ReasonCode> = {
  encrypted: 'FILE_ENCRYPTED',
  corrupt: 'FILE_CORRUPT',
  bytes: 'FILE_TOO_LARGE',
  entries: 'FILE_TOO_LARGE',
  ratio: 'FILE_TOO_LARGE',
  path: 'FILE_CORRUPT'
}

/** Why an archive cannot be read. A fact about the submitted file, never about this service; holds no entry name. */
export class ZipFault extends Error {
  readonly kind: ZipFaultKind
  readonly reason: ReasonCode

  constructor(kind: ZipFaultKind, message: string) {
    super(message)
    this.name = 'ZipFault'
    this.kind = kind
    this.reason = REASON_OF[kind]
  }
}

/** One listed entry, its name made safe: relative, forward slashes, no `..`. */
export interface ZipEntry {
  readonly name: string
  /** As claimed by the archive: for show only. */
  readonly claimedBytes: number
}

/**
 * Reads the entries `wanted` picks by name, from a file path or a Buffer.
 * Every entry of the archive is checked against the limits and for an unsafe path, wanted or not; two entries of one
 * name are corruption, because readers differ on which one counts. Throws `ZipFault` for a fault of the archive and
 * the system's own error when the path cannot be opened.
 */
export async function readZipEntries(
  source: string | Buffer,
  wanted: (name: string) => boolean,
  limits: ZipLimits = ZIP_LIMITS
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  let budget = limits.bytes
  await eachSafeEntry(source, limits, async (zip, entry, name) => {
    if (name.endsWith('/') || !wanted(name)) return
    const content = await inflateEntry(zip, entry, { ...limits, bytes: budget })
    budget -= content.length
    found.set(name, content)
  })
  return found
}

/** Lists the entries without inflating any; same checks and errors as `readZipEntries`. */
export async function listZipEntries(source: string | Buffer, limits: ZipLimits = ZIP_LIMITS): Promise<ZipEntry[]> {
  const listed: ZipEntry[] = []
  await eachSafeEntry(source, limits, async (_zip, entry, name) => {
    listed.push({ name, claimedBytes: entry.uncompressedSize })
  })
  return listed
}

type Visit = (zip: ZipFile, entry: Entry, name: string) => Promise<void>

async function eachSafeEntry(source: string | Buffer, limits: ZipLimits, visit: Visit): Promise<void> {
  const zip = await openZip(source)
  const seen = new Set<string>()
  try {
    if (zip.entryCount > limits.entries) throw tooManyEntries(limits)
    for await (const entry of zip.eachEntry()) {
      if (seen.size >= limits.entries) throw tooManyEntries(limits)
      const name = safeName(entry)
      if (seen.has(name)) throw new ZipFault('corrupt', 'The archive lists two entries of one name.')
      seen.add(name)
      await visit(zip, entry, name)
    }
  } catch (error) {
    throw asFault(error)
  } finally {
    zip.close()
  }
}

export function tooManyEntries(limits: ZipLimits): ZipFault {
  return new ZipFault('entries', `The archive lists more than ${limits.entries} entries.`)
}

/** autoClose would close the archive under an entry that is still being read when iteration is left early. */
export const OPEN_OPTIONS = { autoClose: false, decodeStrings: false, validateEntrySizes: false } as const

async function openZip(source: string | Buffer): Promise<ZipFile> {
  try {
    return await (typeof source === 'string'
      ? openPromise(source, OPEN_OPTIONS)
      : fromBufferPromise(source, OPEN_OPTIONS))
  } catch (error) {
    throw asFault(error)
  }
}

/** The name of an entry, made safe. Throws `ZipFault`. */
export function safeName(entry: Entry): string {
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
  if (name === '' || name.includes('\0') || validateFileName(name) !== null) {
    throw new ZipFault('path', 'An entry of the archive has a path that leaves the archive.')
  }
  return name
}

async function inflateEntry(zip: ZipFile, entry: Entry, limits: ZipLimits): Promise<Buffer> {
  if (entry.isEncrypted()) throw new ZipFault('encrypted', 'An entry of the archive is protected by a password.')
  if (!entry.canDecodeFileData()) throw new ZipFault('corrupt', 'An entry uses a compression method that is not read.')
  const stream = await zip.openReadStreamPromise(entry)
  const content = await collectCounted(stream, entry.compressedSize, limits)
  if (crc32(content) !== entry.crc32) throw new ZipFault('corrupt', 'An entry does not match its checksum.')
  return content
}

async function collectCounted(stream: Readable, compressedBytes: number, limits: ZipLimits): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > limits.bytes) throw new ZipFault('bytes', 'The archive unfolds to more bytes than the limit.')
    if (size > RATIO_FROM_BYTES && size > compressedBytes * limits.ratio) {
      throw new ZipFault('ratio', `An entry unfolds to more than ${limits.ratio} times its size.`)
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces, size)
}

/** An error with `syscall` is the machine's (missing file, no permission) and passes through. */
export function asFault(error: unknown): unknown {
  if (error instanceof ZipFault) return error
  if (error instanceof Error && 'syscall' in error) return error
  return new ZipFault('corrupt', 'The archive is damaged and cannot be read.')
}
