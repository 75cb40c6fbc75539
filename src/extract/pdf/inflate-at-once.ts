import { brotliDecompressSync, inflateSync } from 'node:zlib'

/** More than the text and the fonts of any page; what unpacks to more is read by pdfjs's own reader, bit by bit. */
const MOST_BYTES = 64 * 1024 * 1024

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
          this.failure = error instanceof Error ? error : new TypeError('A stream cannot be unpacked.')
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

/** Makes pdfjs unpack streams at once. To be called in an extraction process only. */
export function unpackAtOnce(): void {
  Object.defineProperty(globalThis, 'DecompressionStream', { value: UnpackAtOnce, configurable: true, writable: true })
}
