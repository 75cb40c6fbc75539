import type { ChunkWork } from '../../db/work/chunks.ts'
import type { TabularFormat } from '../../tabular/format.ts'
import { readRows } from '../../tabular/split-file.ts'
import { fromStored, rowsUri } from '../split/file-format.ts'
import type { ReadDeps } from '../work/pipeline-deps.ts'
import { idOf } from './named-id.ts'
import { RECORD_ID_COLUMN } from './own-columns.ts'

/** What the rows of an errors file say together; the same in whatever order its chunks are worked. */
export interface FileFacts {
  /** Whether more than one row names this record. */
  isRepeated(id: string): boolean
  /** The first ids that the file names, in order: they tell which batch it came from. */
  readonly first: readonly string[]
}

const FIRST = 20

/** The random end of an id, by which repetitions are found: eight bytes an id, whatever the file's size. */
const tailOf = (id: string): bigint => BigInt(`0x${id.slice(19, 23)}${id.slice(24)}`)

class Tails {
  #values = new BigUint64Array(1024)
  #count = 0

  add(value: bigint): void {
    if (this.#count === this.#values.length) {
      const larger = new BigUint64Array(this.#values.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#count++] = value
  }

  repeated(): ReadonlySet<bigint> {
    const sorted = this.#values.subarray(0, this.#count).toSorted()
    const found = new Set<bigint>()
    for (let at = 1; at < sorted.length; at++) {
      const value = sorted[at]
      if (value !== undefined && value === sorted[at - 1]) found.add(value)
    }
    return found
  }
}

async function readFacts(deps: ReadDeps, chunk: ChunkWork, format: TabularFormat): Promise<FileFacts> {
  const stored = chunk.format === null ? null : fromStored(chunk.format)
  const source = await deps.store.open(rowsUri(stored, chunk.payloadUri), { start: format.dataOffset })
  const tails = new Tails()
  const first: string[] = []
  const start = { row: 1, line: format.dataLine, records: Number.POSITIVE_INFINITY }
  // Ids are plain characters in every encoding; this one reads them beside whatever bytes.
  const readable: TabularFormat = format.encoding === 'ascii' ? { ...format, encoding: 'macintosh' } : format
  for await (const rows of readRows(source, readable, start)) {
    for (const row of rows) {
      const cell = row.values[row.names.indexOf(RECORD_ID_COLUMN)]
      const id = typeof cell === 'string' ? idOf(cell) : null
      if (id === null) continue
      tails.add(tailOf(id))
      if (first.length < FIRST) first.push(id)
    }
  }
  const repeated = tails.repeated()
  return { first, isRepeated: id => repeated.has(tailOf(id)) }
}

const REMEMBERED = 8
const known = new Map<string, Promise<FileFacts>>()

/** Reads an errors file through once per process; a payload never changes. */
export async function factsOf(deps: ReadDeps, chunk: ChunkWork, format: TabularFormat): Promise<FileFacts> {
  const before = known.get(chunk.fileId)
  if (before !== undefined) return before
  const facts = readFacts(deps, chunk, format)
  known.set(chunk.fileId, facts)
  const [oldest] = known.keys()
  if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
  try {
    return await facts
  } catch (error) {
    known.delete(chunk.fileId)
    throw error
  }
}
