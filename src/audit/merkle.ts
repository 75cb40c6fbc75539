import { hash } from 'node:crypto'

/** Bytes of a SHA-256. */
export const DIGEST_BYTES = 32

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

/** RFC 6962 §2.1 hash of a node: SHA-256 over 0x01 and the hashes of its two halves. */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  left.copy(node, 1)
  right.copy(node, 1 + DIGEST_BYTES)
  return Buffer.from(hash('sha256', node, 'hex'), 'hex')
}

/** Hash of the tree without leaves: that of the empty string. */
export const emptyRoot = (): Buffer => Buffer.from(hash('sha256', '', 'hex'), 'hex')

/**
 * Root over the hashes of leaves, or of whole subtrees of one size of which the last may be smaller. Joining neighbours
 * level by level, carrying an odd one up, gives the same tree as the recursive split at the largest power of two.
 * Digests pass through hex, which costs a third of having each made a buffer of its own.
 */
export function rootOfHashes(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0) return emptyRoot()
  const level = Buffer.concat(hashes)
  for (let count = hashes.length; count > 1; count = Math.ceil(count / 2)) {
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

/** RFC 6962 §2.1 Merkle tree hash over leaves in order; the hash of the empty string for none. */
export const merkleRoot = (leaves: readonly Buffer[]): Buffer => rootOfHashes(leaves.map(leafHash))

/** Cuts digests that are stored in a row. */
export const splitDigests = (row: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(row.length / DIGEST_BYTES) }, (_, i) =>
    row.subarray(i * DIGEST_BYTES, (i + 1) * DIGEST_BYTES)
  )
