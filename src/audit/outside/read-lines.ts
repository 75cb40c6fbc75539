import { open } from 'node:fs/promises'
import type { Json } from '../../model/json.ts'

/** Bytes read at once, into the same block of memory each time. */
const BLOCK = 256 * 1024

/** Longest line that is read, in bytes: an entry has a few thousand. */
const MAX_LINE = 64 * 1024 * 1024

export type Members = { readonly [name: string]: Json }

const isMembers = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A line as an object; undefined when it is none. */
export function readObject(line: string): Members | undefined {
  try {
    const value = JSON.parse(line) as Json
    return isMembers(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The blocks of a file; each is overwritten by the next. */
async function* readBlocks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  const block = Buffer.alloc(BLOCK)
  try {
    for (;;) {
      const { bytesRead } = await file.read(block, 0, BLOCK)
      if (bytesRead === 0) return
      yield block.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** The lines of a file without their line feeds, in memory of one block and one line. Throws for one that never ends. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const bytes of readBlocks(path)) {
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const piece = bytes.subarray(from, end)
      yield (rest.length > 0 ? Buffer.concat([rest, piece]) : piece).toString('utf8')
      rest = Buffer.alloc(0)
      from = end + 1
    }
    rest = Buffer.concat([rest, bytes.subarray(from)])
    if (rest.length > MAX_LINE) throw new Error('a line of the export does not end')
  }
  if (rest.length > 0) yield rest.toString('utf8')
}
