import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { ErasedFile, ErasedRow, Patch } from '../../db/retention/payload-changes.ts'
import type { PayloadStore } from '../../storage/payload-store.ts'
import type { TabularFormat } from '../../tabular/format.ts'
import { splitFile } from '../../tabular/split-file.ts'
import { fromStored } from '../split/file-format.ts'

const X = 0x78
const SPACE = 0x20
const isBreak = (byte: number | undefined): boolean => byte === 10 || byte === 13

/** Whether rows of a file lie in its payload as they are, and can be overwritten without harm to the others. */
export function isPatchable(file: ErasedFile): boolean {
  if (file.kind !== 'data' || file.unpackedUri !== null || file.archiveId !== null || file.format === null) return false
  const { tabular }: { tabular?: TabularFormat } = fromStored(file.format)
  return tabular !== undefined && tabular.kind !== 'sheet' && !/^utf-?(?:16|32)/i.test(tabular.encoding)
}

/** A delimited row as one cell without content: the same bytes long, on the same lines. Blank ends stay. */
function blankCells(row: Buffer, quote: string | null): Buffer {
  let [from, to] = [0, row.length]
  while (from < to && isBreak(row[from])) from += 1
  while (to > from && isBreak(row[to - 1])) to -= 1
  const blank = Buffer.from(row.map((byte, i) => (i < from || i >= to || isBreak(byte) ? byte : X)))
  const isBroken = blank.subarray(from, to).some(isBreak)
  // A cell over several lines is one only between quotes.
  if (isBroken && quote !== null) {
    blank[from] = quote.codePointAt(0) ?? X
    blank[to - 1] = quote.codePointAt(0) ?? X
  }
  return blank
}

/** A JSON object as an empty one, as long and on as many lines; undefined for a row that is none. */
function blankObject(row: Buffer): Buffer | undefined {
  const from = row.indexOf('{')
  const to = row.lastIndexOf('}')
  if (from < 0 || to <= from) return undefined
  const blank = Buffer.from(row.map((byte, i) => (i < from || i > to || isBreak(byte) ? byte : SPACE)))
  blank.write('{', from)
  blank.write('}', to)
  return blank
}

/** What is written over the erased rows of a chunk, and the digest of its bytes then. */
interface ChunkPatches {
  readonly patches: readonly Patch[]
  readonly digest: Buffer
}

async function patchChunk(
  store: PayloadStore,
  file: ErasedFile,
  rows: readonly ErasedRow[]
): Promise<ChunkPatches | undefined> {
  const [chunk] = rows
  if (!chunk) return undefined
  const { tabular } = fromStored(file.format)
  const bytes = await buffer(await store.open(file.payloadUri, { start: chunk.byteStart, end: chunk.byteEnd - 1 }))
  const from = { offset: chunk.byteStart, row: chunk.firstItem, line: chunk.firstLine ?? 1, ordinal: 0, done: false }
  const erased = new Set(rows.map(row => row.item))
  const patches: Patch[] = []
  let found = 0
  for await (const one of splitFile(oneBlock(bytes), tabular, from, { bounds: { records: 1, bytes: 1 } })) {
    if (!erased.has(one.firstRow)) continue
    found += 1
    const [start, end] = [one.byteStart - chunk.byteStart, one.byteEnd - chunk.byteStart]
    const row = bytes.subarray(start, end)
    const blank = tabular.kind === 'delimited' ? blankCells(row, tabular.dialect.quote) : blankObject(row)
    if (!blank) return undefined
    blank.copy(bytes, start)
    patches.push({ start: one.byteStart, text: blank.toString('base64') })
  }
  return found === erased.size ? { patches, digest: createHash('sha256').update(bytes).digest() } : undefined
}

async function* oneBlock(bytes: Buffer): AsyncGenerator<Uint8Array> {
  // A copy: what was read is overwritten while the reader still looks at its block.
  yield Uint8Array.from(bytes)
}

/** The bytes of an object with patches applied. */
export async function* patched(source: AsyncIterable<Uint8Array>, patches: readonly Patch[]): AsyncGenerator<Buffer> {
  let offset = 0
  const texts = patches.map(({ start, text }) => ({ start, bytes: Buffer.from(text, 'base64') }))
  for await (const part of source) {
    const block = Buffer.from(part)
    for (const { start, bytes } of texts) {
      const at = Math.max(start, offset)
      const end = Math.min(start + bytes.length, offset + block.length)
      if (at < end) bytes.copy(block, at - offset, at - start, end - start)
    }
    offset += block.length
    yield block
  }
}

export interface FilePatches {
  readonly patches: readonly Patch[]
  readonly sha256: Buffer
  /** By chunk. */
  readonly digests: ReadonlyMap<string, Buffer>
}

/**
 * How the erased rows of a file are overwritten: each by one as long that holds nothing, so that all others stay where
 * they are. Undefined when one of them cannot be found in its chunk.
 */
export async function patchRows(
  store: PayloadStore,
  file: ErasedFile,
  rows: readonly ErasedRow[]
): Promise<FilePatches | undefined> {
  const patches: Patch[] = []
  const digests = new Map<string, Buffer>()
  for (const [chunkId, own] of Map.groupBy(rows, row => row.chunkId)) {
    const found = await patchChunk(store, file, own)
    if (!found) return undefined
    patches.push(...found.patches)
    digests.set(chunkId, found.digest)
  }
  if (patches.length === 0) return undefined
  const whole = createHash('sha256')
  for await (const block of patched(await store.open(file.payloadUri), patches)) whole.update(block)
  return { patches, sha256: whole.digest(), digests }
}
