import { isAscii } from 'node:buffer'
import { decodeCodePoints, decodeStrict, type Encoding, escapeBytes, escapeText, unitBytes } from './encodings.ts'
import { isMultiByte, maskParts } from './multi-byte.ts'

export const LF = 10
export const CR = 13

/**
 * A stretch of a file in memory, addressed in code units, so that a position times `unit` is a byte offset in every
 * encoding. `codes` serves scanning; `text` has one character a unit and serves slicing where `isPlain`.
 */
export class Block {
  readonly bytes: Buffer
  readonly codes: Uint8Array | Uint16Array | Uint32Array
  readonly text: string
  readonly encoding: Encoding
  readonly unit: 1 | 2 | 4
  /** No bytes follow. */
  readonly final: boolean
  /** Units taken by the reader; the rest comes again at the head of the next block. */
  used = 0
  readonly #plain: boolean
  /** The first byte that is not ASCII at or after `#highFrom`. */
  #nextHigh = -1
  #highFrom = 0
  #nextNul = -1
  #nulFrom = 0

  constructor(bytes: Buffer, encoding: Encoding, final: boolean) {
    this.bytes = bytes
    this.encoding = encoding
    this.unit = unitBytes(encoding)
    this.final = final
    this.codes = codesOf(bytes, encoding)
    this.text = this.unit === 1 ? bytes.toString('latin1') : textOf(this.codes)
    this.#plain = this.codes instanceof Uint8Array ? isAscii(this.codes) : this.text.isWellFormed()
  }

  get length(): number {
    return this.codes.length
  }

  /** Whether `text` from `start` to `end` is what the bytes say. Asked in ascending order it costs one pass in all. */
  isPlain(start: number, end: number): boolean {
    if (this.#plain) return true
    if (this.unit !== 1) return this.text.slice(start, end).isWellFormed()
    if (this.#nextHigh < start || start < this.#highFrom) {
      const { codes } = this
      let at = start
      this.#highFrom = start
      while (at < codes.length && (codes[at] ?? 0xff) < 0x80) at++
      this.#nextHigh = at
    }
    return this.#nextHigh >= end
  }

  /** Whether the range might hold NUL or half a character; false is certain. */
  mayBeUnstorable(start: number, end: number): boolean {
    if (this.unit !== 1 && !this.isPlain(start, end)) return true
    if (this.#nextNul < start || start < this.#nulFrom) {
      this.#nulFrom = start
      const at = this.codes.indexOf(0, start)
      this.#nextNul = at < 0 ? this.codes.length : at
    }
    return this.#nextNul < end
  }

  /** The decoded text, or null where the bytes are not text in the encoding. UTF-16 may hold lone surrogates. */
  decode(start: number, end: number): string | null {
    if (this.isPlain(start, end) || this.unit === 2) return this.text.slice(start, end)
    if (this.codes instanceof Uint32Array) return decodeCodePoints(this.codes.subarray(start, end))
    return decodeStrict(this.bytes.subarray(start, end), this.encoding)
  }

  /** The text for people to see: never fails, and always storable. */
  show(start: number, end: number): string {
    const text = this.decode(start, end)
    if (text !== null) return escapeText(text)
    const bytes = this.bytes.subarray(start * this.unit, end * this.unit)
    return this.unit === 1 ? escapeBytes(bytes) : escapeText(this.text.slice(start, end))
  }

  /** First line end at or after `from`, or the length. */
  lineEnd(from: number): number {
    const { codes } = this
    let at = from
    while (at < codes.length && codes[at] !== LF && codes[at] !== CR) at++
    return at
  }

  /** Start of the line after the line end at `end`; CR LF counts as one. */
  afterLineEnd(end: number): number {
    return this.codes[end] === CR && this.codes[end + 1] === LF ? end + 2 : Math.min(end + 1, this.length)
  }

  /** A CR at the very end whose LF may still come. */
  isSplitLineEnd(end: number): boolean {
    return !this.final && end === this.length - 1 && this.codes[end] === CR
  }

  /** Line ends that end within the range: CR LF once, counted at its LF. */
  countLines(start: number, end: number): number {
    const { codes } = this
    let lines = 0
    for (let at = start; at < end; at++) {
      const code = codes[at]
      if (code === LF || (code === CR && codes[at + 1] !== LF)) lines++
    }
    return lines
  }
}

function codesOf(bytes: Buffer, encoding: Encoding): Uint8Array | Uint16Array | Uint32Array {
  const unit = unitBytes(encoding)
  if (unit === 1) return isMultiByte(encoding) ? maskParts(bytes, encoding) : bytes
  const copy = Buffer.from(new ArrayBuffer(bytes.length))
  bytes.copy(copy)
  if (encoding === 'utf-16be') copy.swap16()
  if (encoding === 'utf-32be') copy.swap32()
  return unit === 2
    ? new Uint16Array(copy.buffer, 0, copy.length / 2)
    : new Uint32Array(copy.buffer, 0, copy.length / 4)
}

/** UTF-32 units beyond 16 bits become half a character, which marks their row as not plain. */
function textOf(codes: Uint8Array | Uint16Array | Uint32Array): string {
  const narrow = codes instanceof Uint32Array ? Uint16Array.from(codes, code => (code > 0xffff ? 0xd800 : code)) : codes
  return Buffer.from(narrow.buffer, narrow.byteOffset, narrow.length * 2).toString('utf16le')
}
