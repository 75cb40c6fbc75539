import type { StoredTile } from '../../db/log/tiles.ts'
import type { Tx } from '../../db/pool.ts'
import { streamTiles } from '../../db/verify/log.ts'
import { TILE, type Tile, tileBytes } from '../log/tree/growing-tree.ts'

type Report = (found: { readonly tile: string; readonly fault: string }) => void

/** Levels of a tree of less than 2^53 leaves. */
const LEVELS = 7

/** Compares the tiles of a tree that is grown anew with those that are stored, level by level in order. */
export class TileComparison {
  /** Tiles of a level that may still grow. */
  private readonly open = new Map<number, Tile>()
  private readonly stored: AsyncGenerator<StoredTile>[]
  private readonly report: Report

  constructor(tx: Tx, jurisdiction: string, report: Report) {
    this.stored = Array.from({ length: LEVELS }, (_, level) => streamTiles(tx, jurisdiction, level))
    this.report = report
  }

  /** Takes tiles that were filled or have grown. */
  async take(tiles: readonly Tile[]): Promise<void> {
    for (const tile of tiles) {
      if (tile.hashes.length === TILE) {
        this.open.delete(tile.level)
        await this.compare(tile)
      } else this.open.set(tile.level, tile)
    }
  }

  /** To be called when the tree is whole: what is stored beyond it is reported too. */
  async end(): Promise<void> {
    for (const tile of this.open.values()) await this.compare(tile)
    for (const rest of this.stored) {
      for await (const { level, index } of rest) {
        this.report({ tile: `tile ${level}/${index}`, fault: 'is of no commits of the log' })
      }
    }
  }

  private async compare(tile: Tile): Promise<void> {
    const name = `tile ${tile.level}/${tile.index}`
    const { value } = (await this.stored[tile.level]?.next()) ?? {}
    const found = value as StoredTile | undefined
    if (!found) this.report({ tile: name, fault: 'is not stored' })
    else if (found.index !== tile.index || !found.hashes.equals(tileBytes(tile))) {
      this.report({ tile: name, fault: "holds other hashes than those of the log's commits" })
    }
  }
}
