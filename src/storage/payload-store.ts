import type { Readable, Writable } from 'node:stream'

/** What a finished spool holds. `name` is the store's own; it never comes from a submission. */
export interface Spooled {
  readonly name: string
  readonly size: number
  readonly sha256: Buffer
}

/**
 * Takes one file's bytes while they arrive, counting and hashing them. Fails with `FILE_TOO_LARGE` at the first byte
 * over its limit and with `STORE_UNAVAILABLE` when the store cannot take them; either way nothing of it is kept.
 */
export interface Spool extends Writable {
  readonly name: string
  /** What was written; only once the stream has finished. */
  result(): Spooled
}

/** Bytes `start` to `end`, both included and counted from 0. */
export interface ByteRange {
  readonly start?: number
  readonly end?: number
}

export interface CommitItem {
  readonly spooled: Spooled
  /** `payloadKey` or `unpackedKey`. */
  readonly key: string
}

export interface StoredPayload {
  readonly uri: string
  readonly key: string
}

/** Where files are kept as received: one object per file, never shared, and altered by erasures alone. */
export interface PayloadStore {
  createSpool(options: { readonly limitBytes: number }): Spool
  /**
   * Makes spooled files durable under their keys and answers their addresses in the same order. When it resolves the
   * bytes survive a power cut; when it throws, none of them is kept.
   */
  commit(items: readonly CommitItem[]): Promise<string[]>
  /** Puts a finished spool in the place of an object, at once and durably: readers find the one or the other, whole. */
  replace(spooled: Spooled, uri: string): Promise<void>
  /** Removes a spool that is not wanted; without complaint when it is gone. */
  discard(name: string): Promise<void>
  /** Throws `PAYLOAD_MISSING` when there is none, at once and not through the stream. */
  open(uri: string, range?: ByteRange): Promise<Readable>
  /** Size in bytes; throws `PAYLOAD_MISSING`. */
  size(uri: string): Promise<number>
  /** Removes a payload; without complaint when it is gone. */
  remove(uri: string): Promise<void>
  /** Names of spools last written before `before`. */
  listSpool(before: Date): Promise<string[]>
  /** Payloads stored before `before`. */
  listPayloads(before: Date): AsyncIterable<StoredPayload>
  /** Writes, syncs, reads and removes a probe; throws `STORE_UNAVAILABLE`. */
  check(): Promise<void>
}

/** The key of what was unpacked from a file's payload. */
export const unpackedKey = (jurisdiction: string, fileId: string): string =>
  `${payloadKey(jurisdiction, fileId)}.unpacked`

/** A payload's key from ids of our own making. */
export const payloadKey = (jurisdiction: string, fileId: string): string => `${jurisdiction}/${fileId}`
