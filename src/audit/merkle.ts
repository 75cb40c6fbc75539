import { hash } from 'node:crypto'

/** A node's input: 0x01 and two hashes. One buffer serves all, since hashing is synchronous. */
const node = Buffer.alloc(65)
node[0] = 1

function nodeHash(left: Buffer, right: Buffer): Buffer {
  left.copy(node, 1)
  right.copy(node, 33)
  return hash('sha256', node, 'buffer')
}

/** RFC 6962 §2.1 leaf hash: SHA-256 over 0x00 and the data. */
export function leafHash(data: Buffer): Buffer {
  const input = Buffer.allocUnsafe(data.length + 1)
  input[0] = 0
  data.copy(input, 1)
  return hash('sha256', input, 'buffer')
}

/**
 * RFC 6962 §2.1 Merkle tree hash over leaves in order; the hash of the empty string for none. Joining neighbours level
 * by level, carrying an odd one up, gives the same tree as the recursive split at the largest power of two.
 */
export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return hash('sha256', Buffer.alloc(0), 'buffer')
  let level = leaves.map(leafHash)
  while (level.length > 1) {
    const next: Buffer[] = []
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i] as Buffer
      const right = level[i + 1]
      next.push(right ? nodeHash(left, right) : left)
    }
    level = next
  }
  return level[0] as Buffer
}
