const CRLF = '\r\n'
const DASHES = Buffer.from('--')

/**
 * Counts the delimiters of a multipart body as its bytes go by. The parser skips a part whose header it cannot read
 * without a word; comparing its parts with this count is what makes such a body malformed instead of incomplete.
 */
export class DelimiterCount {
  readonly #delimiter: Buffer
  #tail: Buffer = Buffer.from(CRLF)
  #parts = 0
  #ended = false

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`${CRLF}--${boundary}`)
  }

  /** Delimiters that open a part. */
  get parts(): number {
    return this.#parts
  }

  /** Whether the closing delimiter was seen. */
  get ended(): boolean {
    return this.#ended
  }

  add(block: Buffer): void {
    if (this.#ended) return
    const bytes = this.#tail.length === 0 ? block : Buffer.concat([this.#tail, block])
    let from = 0
    for (;;) {
      const at = bytes.indexOf(this.#delimiter, from)
      const after = at + this.#delimiter.length
      if (at < 0 || after + DASHES.length > bytes.length) {
        this.#tail = bytes.subarray(at < 0 ? Math.max(from, bytes.length - this.#delimiter.length + 1) : at)
        return
      }
      if (bytes.subarray(after, after + DASHES.length).equals(DASHES)) {
        this.#ended = true
        return
      }
      this.#parts += 1
      from = after
    }
  }
}
