import { hash } from 'node:crypto'

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

const sha256 = (parts: Buffer[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer')

/** RFC 6962 §2.1 leaf hash: SHA-256 over 0x00 and the data. */
export const leafHash = (data: Buffer): Buffer => sha256([LEAF, data])

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
      next.push(right ? sha256([NODE, left, right]) : left)
    }
    level = next
  }
  return level[0] as Buffer
}
