import { isAscii, isUtf8 } from 'node:buffer'

/** Cells kept for statistics: beyond, ever fewer of the distinct ones are, spread over the whole file. */
const MAX_CELLS = 4000
/** Bytes kept of a cell. */
export const CELL_BYTES = 500
/** Longer lines are not looked at, in characters. */
const MAX_LINE = 20_000
const ESCAPE = '\x1b'

const HIGH_CELL = /(?<![^\r\n\t,;"])[^\r\n\t,;"]*[\x80-\xff][^\r\n\t,;"]*/g

/** What the bytes of a text of unknown encoding tell. Takes the file in pieces; the outcome does not depend on them. */
export class EncodingSurvey {
  /** Well-formed UTF-8 sequences of several bytes, and bytes that belong to none. */
  valid = 0
  invalid = 0
  hasEscapes = false
  #cells = new Map<string, number>()
  /** Cells whose hash has one of these bits are left out. */
  #mask = 0
  #rest: Buffer = Buffer.alloc(0)

  /** Distinct cells that are not well-formed UTF-8, or hold escapes, one character a byte. */
  get cells(): string[] {
    return [...this.#cells.keys()]
  }

  /** Adds the next bytes. With `final`, also what was kept back because its line had not ended. */
  add(bytes: Buffer, final = false): void {
    const joined = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const end = final ? joined.length : lastLineEnd(joined)
    this.#lines(joined.subarray(0, end))
    this.#rest = Buffer.from(joined.subarray(end))
  }

  /** Adds whole lines. */
  #lines(bytes: Buffer): void {
    const hasEscape = bytes.includes(ESCAPE)
    if (!hasEscape && isAscii(bytes)) return
    if (hasEscape) this.hasEscapes = true
    const isValid = isUtf8(bytes)
    if (isValid) this.valid += countLeads(bytes)
    else this.#count(bytes)
    if (hasEscape) this.#keepLines(bytes.toString('latin1'))
    else if (!isValid) for (const [cell] of bytes.toString('latin1').matchAll(HIGH_CELL)) this.#keep(cell)
  }

  /** Between two escapes any byte may stand for part of a character. */
  #keepLines(text: string): void {
    for (const line of text.split(/[\r\n]/)) {
      if (line.length < MAX_LINE && (line.includes(ESCAPE) || /[\x80-\xff]/.test(line))) this.#keep(line)
    }
  }

  #count(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const lead = bytes[at] ?? 0
      const size = lead < 0x80 ? 0 : sequenceBytes(lead)
      const isWhole = size > 0 && isUtf8(bytes.subarray(at, at + size))
      if (isWhole) this.valid++
      else if (lead >= 0x80) this.invalid++
      at += isWhole ? size : 1
    }
  }

  #keep(whole: string): void {
    const cell = whole.includes(ESCAPE) ? whole : whole.slice(0, CELL_BYTES)
    const hash = hashOf(cell)
    if ((hash & this.#mask) !== 0 || this.#cells.has(cell)) return
    if (!cell.includes(ESCAPE) && isUtf8(Buffer.from(cell, 'latin1'))) return
    this.#cells.set(cell, hash)
    if (this.#cells.size <= MAX_CELLS) return
    this.#mask = this.#mask * 2 + 1
    this.#cells = new Map([...this.#cells].filter(([, other]) => (other & this.#mask) === 0))
  }
}

/** Behind the last line end; where there is none within a stretch that is long enough, its end. */
function lastLineEnd(bytes: Buffer): number {
  const end = Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13)) + 1
  return end === 0 && bytes.length > 1e6 ? bytes.length : end
}

function countLeads(bytes: Buffer): number {
  let leads = 0
  for (const byte of bytes) if (byte >= 0xc0) leads++
  return leads
}

function sequenceBytes(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
}

/** FNV-1a: the same cell is kept or left out wherever it stands. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 8
}
