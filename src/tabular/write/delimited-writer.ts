import { DELIMITERS, type Dialect } from '../format.ts'
import type { Encoding } from '../text/encodings.ts'
import { encodeText } from './encode-text.ts'

export interface WrittenForm {
  readonly encoding: Encoding
  readonly dialect: Dialect
  readonly lineEnd: '\r\n' | '\n' | '\r'
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean
}

/** Characters at either end that a reader may take for padding. */
const PADDED = /^\s|\s$/

/** Writes rows of cells as a delimited file in one encoding and dialect, so that they read back exactly. */
export class DelimitedWriter {
  readonly #form: WrittenForm

  constructor(form: WrittenForm) {
    this.#form = form
  }

  /** What stands before the first row. */
  start(): Buffer {
    return this.#form.bom ? encodeText('\ufeff', this.#form.encoding) : Buffer.alloc(0)
  }

  row(cells: readonly string[]): Buffer {
    const { dialect, lineEnd, encoding } = this.#form
    return encodeText(cells.map(cell => this.#cell(cell)).join(dialect.delimiter) + lineEnd, encoding)
  }

  #cell(text: string): string {
    const { dialect } = this.#form
    const { quote, delimiter, escape } = dialect
    // A file that quotes nothing has no way to hold these; only texts of our own can bring them.
    if (quote === null)
      return text
        .replaceAll(delimiter, ' ')
        .replace(/[\r\n]+/g, ' ')
        .replace(/^(\s*)"/, '$1')
    const isPlain =
      !text.includes(quote) &&
      !text.includes('"') &&
      !/[\r\n]/.test(text) &&
      !DELIMITERS.some(mark => text.includes(mark)) &&
      !PADDED.test(text) &&
      (escape === 'double' || !text.includes('\\'))
    if (isPlain) return text
    const inner =
      escape === 'backslash'
        ? text.replace(new RegExp(`[\\\\${quote}]`, 'g'), '\\$&')
        : text.replaceAll(quote, quote + quote)
    return quote + inner + quote
  }
}
