import { z } from 'zod'
import type { Json } from '../../model/json.ts'
import type { Profile } from '../profile.ts'

const Options = z.object({
  /** Column name → field name, or null for a column that is kept but read as no field. Goes before the profile's own names. */
  columns: z.record(z.string(), z.string().nullable()).readonly().optional(),
  /** The columns of files that have no header row, in their order. */
  header: z.array(z.string()).readonly().optional(),
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  /** What stands around cells; null where quote marks are ordinary characters. */
  quote: z.enum(['"', "'"]).nullable().optional(),
  escape: z.enum(['double', 'backslash']).optional(),
  /** Label of the character encoding. */
  encoding: z.string().optional(),
  dateOrder: z.enum(['mdy', 'dmy', 'ymd']).optional(),
  decimal: z.enum(['.', ',']).optional(),
  /** ISO 4217 code; default `USD`. */
  currency: z.string().optional(),
  serialDates: z.enum(['1900', '1904']).optional()
})

/** What a source declares about its files, and how its columns are named; plain data. */
export type SourceOptions = Readonly<z.infer<typeof Options>>

/** A saved version of a source's options, as a file names the one it was read with; plain data. */
export interface UsedMapping {
  readonly version: number
  /** Hex SHA-256 of the options as saved. */
  readonly digest: string
  readonly options: SourceOptions
}

/** Fields of a profile that a submission can give. */
export function sentFields(profile: Profile): string[] {
  return Object.values(profile.fields)
    .filter(field => field.filledBy !== 'registry')
    .map(field => field.name)
}

/**
 * Options as they were saved, for a profile. A column mapped to a field that this version of the profile has no more is kept as none: its
 * records are held for what they lack, which a person sees.
 * @throws ZodError when it was no options that were saved.
 */
export function savedOptions(saved: Json, profile: Profile | undefined): SourceOptions {
  const options = Options.parse(saved)
  if (options.columns === undefined || profile === undefined) return options
  const fields = new Set(sentFields(profile))
  const columns = Object.entries(options.columns).map(([column, field]): [string, string | null] => [
    column,
    field !== null && fields.has(field) ? field : null
  ])
  return { ...options, columns: Object.fromEntries(columns) }
}

/** What the cells of one column prove together. */
export interface ColumnProof {
  readonly name: string
  readonly dateOrder?: 'mdy' | 'dmy'
  readonly decimal?: '.' | ','
  /** What all its cells are, of a column whose heading alone does not say which field it is. */
  readonly kind?: 'date' | 'amount'
  /** The latest of its cells, when all are day numbers of a spreadsheet and nothing else. */
  readonly latestSerial?: number
  /** Its days of a sheet may have day and month exchanged: texts beside them were left for having a day past the 12th. */
  readonly turned?: true
}

/** What the cells of single columns prove together; plain data, stored with the file. */
export interface ColumnEvidence {
  readonly columns: readonly ColumnProof[]
}

/** What the rows of one file are read under. */
export interface RowContext {
  /** `YYYY-MM-DD`. */
  readonly today: string
  readonly jurisdiction: string
  readonly evidence?: ColumnEvidence
  readonly source?: SourceOptions
}
