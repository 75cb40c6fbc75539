import { hash } from 'node:crypto'

const DIGEST_BYTES = 32

/** Inputs of a leaf (0x00 and data) and of a node (0x01 and two hashes): reused, since hashing is synchronous. */
const leaf = Buffer.alloc(1 + DIGEST_BYTES)
const node = Buffer.alloc(1 + 2 * DIGEST_BYTES)
node[0] = 1

/** RFC 6962 §2.1 leaf hash: SHA-256 over 0x00 and the data. */
export function leafHash(data: Buffer): Buffer {
  const input = data.length === DIGEST_BYTES ? leaf : Buffer.alloc(1 + data.length)
  data.copy(input, 1)
  return Buffer.from(hash('sha256', input, 'hex'), 'hex')
}

/**
 * RFC 6962 §2.1 Merkle tree hash over leaves in order; the hash of the empty string for none. Joining neighbours level
 * by level, carrying an odd one up, gives the same tree as the recursive split at the largest power of two. Digests pass
 * through hex, which costs a third of having each made a buffer of its own.
 */
export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return Buffer.from(hash('sha256', '', 'hex'), 'hex')
  const level = Buffer.concat(leaves.map(leafHash))
  for (let count = leaves.length; count > 1; count = Math.ceil(count / 2)) {
    for (let i = 0; i < count; i += 2) {
      const at = i * DIGEST_BYTES
      const to = at / 2
      if (i + 1 === count) level.copy(level, to, at, at + DIGEST_BYTES)
      else {
        level.copy(node, 1, at, at + 2 * DIGEST_BYTES)
        level.write(hash('sha256', node, 'hex'), to, 'hex')
      }
    }
  }
  return Buffer.from(level.subarray(0, DIGEST_BYTES))
}
