import { isStorable } from '../text/encodings.ts'

/** Where and how a text is not JSON. Control flow of the parser only: never leaves this folder. */
export class JsonFault extends Error {
  readonly code: 'JSON_INVALID' | 'JSON_TOO_DEEP'
  /** UTF-16 unit of the record's text, from 0. */
  readonly at: number

  constructor(code: 'JSON_INVALID' | 'JSON_TOO_DEEP', at: number) {
    super(code)
    this.name = 'JsonFault'
    this.code = code
    this.at = at
  }
}

const QUOTE = 34
const BACKSLASH = 92
/** The grammar of RFC 8259, once each character: linear. */
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t'
}

/** A place in a JSON text with the readers of its smallest parts. Strict: what RFC 8259 does not allow throws `JsonFault`. */
export class JsonText {
  readonly text: string
  at = 0
  /** Set when a string held NUL or half a character. */
  isUnstorable = false

  constructor(text: string) {
    this.text = text
  }

  fail(code: 'JSON_INVALID' | 'JSON_TOO_DEEP' = 'JSON_INVALID'): never {
    throw new JsonFault(code, this.at)
  }

  /** Passes white space and answers the code of what follows, NaN at the end. */
  peek(): number {
    const { text } = this
    let code = text.charCodeAt(this.at)
    while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(++this.at)
    return code
  }

  expect(code: number): void {
    if (this.peek() !== code) this.fail()
    this.at++
  }

  string(): string {
    this.expect(QUOTE)
    const { text } = this
    const start = this.at
    for (let at = start; ; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        this.at = at + 1
        return text.substring(start, at)
      }
      if (code === BACKSLASH) return this.#escapedString(start, at)
      if (!(code >= 32)) {
        this.at = at
        this.fail()
      }
    }
  }

  #escapedString(start: number, firstEscape: number): string {
    const { text } = this
    let made = text.substring(start, firstEscape)
    this.at = firstEscape
    for (;;) {
      const code = text.charCodeAt(this.at)
      if (code === QUOTE) break
      if (!(code >= 32)) this.fail()
      made += code === BACKSLASH ? this.#escape() : this.#run()
    }
    this.at++
    if (!isStorable(made)) this.isUnstorable = true
    return made
  }

  /** Ordinary characters up to the next quote mark, backslash or control. */
  #run(): string {
    const start = this.at
    let code = this.text.charCodeAt(this.at)
    while (code >= 32 && code !== QUOTE && code !== BACKSLASH) code = this.text.charCodeAt(++this.at)
    return this.text.substring(start, this.at)
  }

  #escape(): string {
    const letter = this.text[this.at + 1] ?? ''
    if (letter === 'u') {
      const digits = this.text.substring(this.at + 2, this.at + 6)
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail()
      this.at += 6
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    if (letter === '' || !Object.hasOwn(ESCAPES, letter)) this.fail()
    this.at += 2
    return ESCAPES[letter] ?? this.fail()
  }

  /** A number exactly as written. */
  number(): string {
    NUMBER.lastIndex = this.at
    const [digits = this.fail()] = NUMBER.exec(this.text) ?? []
    this.at += digits.length
    return digits
  }

  word(word: 'true' | 'false' | 'null'): string {
    if (!this.text.startsWith(word, this.at)) this.fail()
    this.at += word.length
    return word
  }
}
