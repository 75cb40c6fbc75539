import type { Json } from '../../model/json.ts'

/** What a source declares about its files, and how its columns are named; plain data. */
export interface SourceOptions {
  /** Column name → field name, or null for a column that is kept but read as no field. Goes before the profile's own names. */
  readonly columns?: Readonly<Record<string, string | null>>
  readonly dateOrder?: 'mdy' | 'dmy' | 'ymd'
  readonly decimal?: '.' | ','
  /** ISO 4217 code; default `USD`. */
  readonly currency?: string
  readonly serialDates?: '1900' | '1904'
}

/** What the cells of single columns prove together; plain data, stored with the file. */
export type ColumnEvidence = {
  readonly columns: readonly {
    readonly name: string
    readonly dateOrder?: 'mdy' | 'dmy'
    readonly decimal?: '.' | ','
  }[]
} & { readonly [name: string]: Json }

/** What the rows of one file are read under. */
export interface RowContext {
  /** `YYYY-MM-DD`. */
  readonly today: string
  readonly jurisdiction: string
  readonly evidence?: ColumnEvidence
  readonly source?: SourceOptions
}
