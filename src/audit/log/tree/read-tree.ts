import { readLeaves } from '../../../db/log/commits.ts'
import { readTile } from '../../../db/log/tiles.ts'
import type { Queryable } from '../../../db/pool.ts'
import { AppError } from '../../../errors.ts'
import { rootOfHashes, splitDigests } from '../../merkle.ts'
import { edgeCounts, levelSize, TILE } from './growing-tree.ts'
import { commitLeafHash } from './leaf.ts'
import type { RangeRoot } from './paths.ts'

/** The hashes of a tile of a tree, as many as there are: of level 0 from the leaves while it is not full. */
export type ReadTile = (level: number, index: number) => Promise<Buffer[]>

const damaged = (jurisdiction: string, what: string): AppError =>
  new AppError(
    'LOG_DAMAGED',
    `The audit log of ${jurisdiction} is damaged: ${what}. It is not sealed further. Run docket verify.`
  )

/** Reads tiles of a jurisdiction's tree of `size` leaves, each once. Throws `LOG_DAMAGED` for one that lacks hashes. */
export function tileReader(db: Pick<Queryable, 'query'>, jurisdiction: string, size: number): ReadTile {
  const read = async (level: number, index: number): Promise<Buffer[]> => {
    const first = index * TILE
    const count = Math.min(TILE, levelSize(size, level) - first)
    if (level === 0 && count < TILE) {
      const rows = await readLeaves(db, jurisdiction, first, first + count)
      if (rows.length !== count) throw damaged(jurisdiction, `leaves are missing from ${first} on`)
      return rows.map(row => commitLeafHash({ jurisdiction, ...row }))
    }
    const hashes = splitDigests((await readTile(db, jurisdiction, level, index)) ?? Buffer.alloc(0))
    if (hashes.length < count) throw damaged(jurisdiction, `tile ${level}/${index} lacks hashes`)
    return hashes.slice(0, count)
  }
  const seen = new Map<string, Promise<Buffer[]>>()
  return (level, index) => {
    const key = `${level}/${index}`
    const found = seen.get(key) ?? read(level, index)
    seen.set(key, found)
    return found
  }
}

/** The right edge of a tree, for each level the hashes behind its last whole tile. */
export async function readEdge(tiles: ReadTile, size: number): Promise<Buffer[][]> {
  const edge: Buffer[][] = []
  for (const [level, count] of edgeCounts(size).entries()) {
    edge.push(count === 0 ? [] : await tiles(level, Math.floor(levelSize(size, level) / TILE)))
  }
  return edge
}

/** Roots of ranges of leaves from tiles, whatever the size of the tree: a handful of tiles for each. */
export function rangeRoots(tiles: ReadTile): RangeRoot {
  /** Hashes that stand for the leaves of a range at the highest level that has whole ones. */
  const rootOf = async (from: number, to: number): Promise<Buffer> => {
    let level = 0
    while (TILE ** (level + 1) <= to - from && from % TILE ** (level + 1) === 0) level += 1
    const unit = TILE ** level
    const whole = Math.floor((to - from) / unit)
    const hashes: Buffer[] = []
    for (let n = from / unit; n < from / unit + whole; n += 1) {
      const hash = (await tiles(level, Math.floor(n / TILE)))[n % TILE]
      if (!hash) throw new AppError('INTERNAL', 'A tile of the audit log has fewer hashes than its tree.')
      hashes.push(hash)
    }
    const rest = from + whole * unit
    return rootOfHashes(rest < to ? [...hashes, await rootOf(rest, to)] : hashes)
  }
  return rootOf
}
