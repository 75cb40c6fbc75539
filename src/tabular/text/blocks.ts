import { Block } from './block.ts'
import { type Encoding, unitBytes } from './encodings.ts'

/**
 * Bytes of a block. Measured: strings above some 128 kB are kept apart by V8, which halves the rate; smaller blocks
 * change nothing.
 */
const BLOCK_BYTES = 64 * 1024

/**
 * Gathers a byte stream into blocks. The reader sets `used`; what it left comes again with more bytes behind it, and
 * each time it takes nothing the next block is twice as large. The last block, possibly empty, has `final` set.
 */
export async function* blocksOf(
  source: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  blockBytes = BLOCK_BYTES
): AsyncGenerator<Block> {
  const unit = unitBytes(encoding)
  let pieces: Uint8Array[] = []
  let size = 0
  let target = blockBytes
  for await (const piece of slicesOf(source, blockBytes)) {
    pieces.push(piece)
    size += piece.length
    if (size < target) continue
    const bytes = joined(pieces, size)
    const block = new Block(bytes.subarray(0, size - (size % unit)), encoding, false)
    yield block
    const rest = bytes.subarray(block.used * unit)
    target = block.used === 0 ? target * 2 : rest.length + blockBytes
    pieces = [rest]
    size = rest.length
  }
  yield new Block(wholeUnits(joined(pieces, size), encoding), encoding, true)
}

async function* slicesOf(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    for (let at = 0; at < piece.length; at += bytes) yield piece.subarray(at, at + bytes)
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Buffer {
  const [only] = pieces
  if (pieces.length === 1 && only) return Buffer.from(only.buffer, only.byteOffset, only.length)
  return Buffer.concat(pieces, size)
}

/** A file cut inside a unit ends in half a character, so that its last row is held and not read as if it were whole. */
function wholeUnits(bytes: Buffer, encoding: Encoding): Buffer {
  const unit = unitBytes(encoding)
  const over = bytes.length % unit
  if (over === 0) return bytes
  const half = Buffer.from(encoding.endsWith('le') ? [0x00, 0xd8, 0, 0] : [0, 0, 0xd8, 0x00])
  const broken = encoding.endsWith('le') || unit === 4 ? half.subarray(0, unit) : half.subarray(2, 4)
  return Buffer.concat([bytes.subarray(0, bytes.length - over), broken])
}
