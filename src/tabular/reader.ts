import type { RawRow } from '../model/rows.ts'
import type { Block } from './text/block.ts'

/** Where a record ended: the unit of the block behind it, and the physical line there. */
export interface RecordEnd {
  readonly end: number
  readonly line: number
}

/** Takes one record; answers whether to go on. */
export type TakeRow = (row: RawRow, after: RecordEnd) => boolean

/**
 * Turns blocks into rows. Keeps its place between blocks, so it must be given every unit once and in order, apart from
 * those it left untaken.
 */
export interface RowReader {
  /** Reads from unit `from` of the block until it needs more, or `take` answers false. Returns the first unit not taken. */
  read(block: Block, from: number, take: TakeRow): number
  /** What a later reader must know of the rows read so far (`SplitPosition.foreign`). */
  readonly foreign?: readonly number[]
}

/** Where a reader begins: the next record's number and the physical line, both from 1. */
export interface ReadStart {
  readonly row: number
  readonly line: number
  readonly foreign?: readonly number[] | undefined
}
