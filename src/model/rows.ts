import type { ReasonCode } from './reasons.ts'

/**
 * One cell or member as read. A JSON value that is not a string keeps its canonical JSON text, in which
 * every number stands exactly as in the source, so that nothing passes through a float.
 */
export type RawValue = string | null | { readonly json: string }

/** Why a row cannot be read. `detail` names places and counts, never content. */
export interface RowFault {
  readonly code: ReasonCode
  readonly detail?: string
  /** Of a fault in one cell or member: its column as the header writes it, or its ordinal. */
  readonly column?: string
}

/** One record of a data file as read, before mapping. */
export interface RawRow {
  /** Counts records of the file from 1. */
  readonly row: number
  /** Physical line, from 1, where the record starts. */
  readonly line: number
  /** Column or member names, shared between rows of a delimited file. */
  readonly names: readonly string[]
  readonly values: readonly RawValue[]
  /** Positions of values that a sheet knows to be dates, whatever its column is about. */
  readonly dated?: readonly number[]
  readonly fault?: RowFault
  /** The undecoded or unparsable source of a faulty row, as text for a clerk to see. */
  readonly source?: string
}
