import { DIGEST_BYTES, rootOfHashes } from '../../merkle.ts'

/** Hashes in a whole tile; one tile's root is one hash of the level above. */
export const TILE = 256

/** A row of hashes of whole subtrees of `256 ^ level` leaves; all of a tile's hashes so far, from its first. */
export interface Tile {
  readonly level: number
  /** Counts the tiles of its level from 0. */
  readonly index: number
  readonly hashes: readonly Buffer[]
}

/** A tree that grows by leaves and keeps only its right edge: at most 255 hashes of each level. */
export interface GrowingTree {
  readonly size: number
  /** Adds the hash of one leaf. */
  append(leaf: Buffer): void
  /** RFC 6962 root over all leaves so far. */
  root(): Buffer
  /** Tiles of level 0 that were filled, and those above that grew, since this was asked last. */
  takeTiles(): Tile[]
}

/** Numbers of hashes that a tree of `size` leaves has at the right edge of each level, from the leaves up. */
export function edgeCounts(size: number): number[] {
  const counts: number[] = []
  for (let rest = size; rest > 0; rest = Math.floor(rest / TILE)) counts.push(rest % TILE)
  return counts
}

/** How many hashes a level has in a tree of `size` leaves. */
export const levelSize = (size: number, level: number): number => Math.floor(size / TILE ** level)

/**
 * A tree from its right edge: for each level the hashes behind the last whole tile. The edge must have the counts of
 * `edgeCounts(size)`. Without arguments an empty tree.
 */
export function growTree(size = 0, edge: readonly (readonly Buffer[])[] = []): GrowingTree {
  const levels = edge.map(hashes => [...hashes])
  const changed = new Map<string, Tile>()
  let count = size

  const note = (level: number, index: number, hashes: readonly Buffer[]): void => {
    if (level > 0 || hashes.length === TILE) changed.set(`${level}/${index}`, { level, index, hashes: [...hashes] })
  }

  const push = (level: number, digest: Buffer): void => {
    const hashes = (levels[level] ??= [])
    hashes.push(digest)
    const index = Math.floor((levelSize(count, level) - 1) / TILE)
    note(level, index, hashes)
    if (hashes.length < TILE) return
    levels[level] = []
    push(level + 1, rootOfHashes(hashes))
  }

  return {
    get size() {
      return count
    },
    append(leaf) {
      count += 1
      push(0, leaf)
    },
    root() {
      // Each level's hashes, and behind them what is smaller than one of them, make one smaller piece of the next level.
      let rest: Buffer | undefined
      for (const hashes of levels) {
        const row = rest ? [...hashes, rest] : hashes
        rest = row.length === 0 ? undefined : rootOfHashes(row)
      }
      return rest ?? rootOfHashes([])
    },
    takeTiles() {
      const tiles = [...changed.values()]
      changed.clear()
      return tiles
    }
  }
}

/** A tile's hashes as they are stored. */
export const tileBytes = (tile: Tile): Buffer => Buffer.concat(tile.hashes, tile.hashes.length * DIGEST_BYTES)
