import { brotliDecompressSync, inflateSync } from 'node:zlib'
import { ReadLimit } from '../read-limit.ts'

/** More than the text of any page and more than any font. What unpacks to more was made to fill the memory. */
const MOST_BYTES = 64 * 1024 * 1024

/** Whether a stream of the document being read unpacks to more; pdfjs only leaves out what it cannot read. */
let isOverfull = false

const UNPACK: Readonly<Record<string, (packed: Uint8Array) => Uint8Array>> = {
  deflate: packed => inflateSync(packed, { maxOutputLength: MOST_BYTES }),
  brotli: packed => brotliDecompressSync(packed, { maxOutputLength: MOST_BYTES })
}

/**
 * Stands in for `DecompressionStream` as pdfjs uses it: one write, then all that comes out. The streams of a page are
 * small and in memory; through Node's own they pass two more streams and another thread each.
 */
class UnpackAtOnce {
  private readonly unpack: (packed: Uint8Array) => Uint8Array
  private unpacked: Uint8Array | null = null
  private failure: Error | null = null

  constructor(format: string) {
    const unpack = UNPACK[format]
    if (!unpack) throw new TypeError(`Streams packed as ${format} are not read.`)
    this.unpack = unpack
  }

  readonly writable = {
    getWriter: () => ({
      write: (packed: Uint8Array): Promise<void> => {
        try {
          this.unpacked = this.unpack(packed)
        } catch (error) {
          // Refused, it would be read bit by bit all the same.
          if (error instanceof RangeError) {
            isOverfull = true
            this.unpacked = new Uint8Array(0)
          } else this.failure = error instanceof Error ? error : new TypeError('A stream cannot be unpacked.')
        }
        return Promise.resolve()
      },
      close: (): Promise<void> => Promise.resolve()
    })
  }

  readonly readable = {
    getReader: () => ({
      read: (): Promise<{ readonly value?: Uint8Array; readonly done: boolean }> => {
        if (this.failure !== null) return Promise.reject(this.failure)
        const value = this.unpacked
        this.unpacked = null
        return Promise.resolve(value === null ? { done: true } : { value, done: false })
      }
    })
  }
}

/** Begins to watch for streams that unpack to far too much. */
export function watchUnpacking(): void {
  isOverfull = false
}

/** Throws when a stream since then did: the document is given up, since part of it is not read. */
export function checkUnpacking(): void {
  if (isOverfull) throw new ReadLimit('limit_memory', 'a stream unpacks to more than is read')
}

/** Makes pdfjs unpack streams at once. To be called in an extraction process only. */
export function unpackAtOnce(): void {
  Object.defineProperty(globalThis, 'DecompressionStream', { value: UnpackAtOnce, configurable: true, writable: true })
}
