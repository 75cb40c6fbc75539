import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { corrupt } from './xml.ts'

/** Characters kept in memory before texts go to the file, and of those read back. Each text is charged for its object too. */
const KEPT_CHARACTERS = 4e6
const TEXT_COST = 40
/** Texts are written and read back in groups: one look-up and one read serve many neighbours. */
const GROUP_TEXTS = 64
const GROUP_CHARACTERS = 32_768
/** As many as a sheet has cells would be: more belong to no workbook that is opened anywhere. */
const MAX_TEXTS = 50e6

/**
 * The shared texts of a workbook by number, in flat memory: the first are kept, the others go to a file that nobody else
 * can read and that ends with `close`. Texts are written in order and mostly asked for in order.
 */
export class StringTable {
  /** How many texts there are. */
  size = 0
  readonly #path: string
  readonly #keptCharacters: number
  readonly #kept: string[] = []
  #room: number
  #fd = -1
  #group: string[] = []
  #groupRoom = GROUP_CHARACTERS
  /** For each written group the number of its first text, and where it begins in the file; the last is the file's end. */
  readonly #firsts: number[] = []
  readonly #offsets: number[] = [0]
  readonly #cache = new Map<number, readonly string[]>()
  #cacheRoom: number

  /** `path` is written only when memory does not suffice; nothing may stand there. */
  constructor(path: string, keptCharacters = KEPT_CHARACTERS) {
    this.#path = path
    this.#keptCharacters = keptCharacters
    this.#room = keptCharacters
    this.#cacheRoom = keptCharacters
  }

  add(text: string): void {
    if (this.size >= MAX_TEXTS) throw corrupt('too many texts')
    const cost = text.length + TEXT_COST
    if (this.#room >= cost && this.#group.length === 0 && this.#firsts.length === 0) {
      this.#room -= cost
      this.#kept.push(text)
    } else {
      this.#group.push(text)
      this.#groupRoom -= text.length
      if (this.#group.length >= GROUP_TEXTS || this.#groupRoom <= 0) this.#write()
    }
    this.size += 1
  }

  get(index: number): string | undefined {
    if (index < this.#kept.length) return this.#kept[index]
    if (index >= this.size) return undefined
    const waiting = this.size - this.#group.length
    if (index >= waiting) return this.#group[index - waiting]
    const group = this.#groupOf(index)
    return this.#read(group)[index - (this.#firsts[group] ?? 0)]
  }

  /** Removes the file. */
  close(): void {
    if (this.#fd < 0) return
    closeSync(this.#fd)
    rmSync(this.#path, { force: true })
    this.#fd = -1
  }

  #write(): void {
    if (this.#fd < 0) {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
      this.#fd = openSync(this.#path, 'wx+', 0o600)
    }
    const bytes = Buffer.from(JSON.stringify(this.#group))
    const offset = this.#offsets.at(-1) ?? 0
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at, bytes.length - at, offset + at)
    this.#firsts.push(this.size + 1 - this.#group.length)
    this.#offsets.push(offset + bytes.length)
    this.#group = []
    this.#groupRoom = GROUP_CHARACTERS
  }

  #groupOf(index: number): number {
    let low = 0
    let high = this.#firsts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#firsts[middle] ?? 0) <= index) low = middle
      else high = middle - 1
    }
    return low
  }

  #read(group: number): readonly string[] {
    const cached = this.#cache.get(group)
    if (cached !== undefined) return cached
    const start = this.#offsets[group] ?? 0
    const bytes = Buffer.alloc((this.#offsets[group + 1] ?? start) - start)
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.#fd, bytes, at, bytes.length - at, start + at)
      if (read === 0) throw new Error('The file of shared texts ended early.')
      at += read
    }
    const texts: readonly string[] = JSON.parse(bytes.toString())
    this.#remember(group, texts, bytes.length)
    return texts
  }

  /** All is forgotten when there is no more room: neighbours are asked for together, so little is read twice. */
  #remember(group: number, texts: readonly string[], cost: number): void {
    if (this.#cacheRoom < cost) {
      this.#cache.clear()
      this.#cacheRoom = this.#keptCharacters
    }
    this.#cacheRoom -= cost + TEXT_COST * texts.length
    this.#cache.set(group, texts)
  }
}
