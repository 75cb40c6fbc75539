import type { Json } from '../../model/json.ts'
import type { Profile } from '../../profiles/profile.ts'
import { type MappingHelp, mapColumns } from '../../profiles/tabular/map-columns.ts'
import type { ColumnEvidence, RowContext, UsedMapping } from '../../profiles/tabular/source-options.ts'
import type { TabularFormat } from '../../tabular/format.ts'

/** A file's content in a form that can be entered in the middle: an object of the store, made from the payload alone. */
export interface Unpacked {
  readonly uri: string
  readonly size: number
  readonly sha256: string
}

/** What is decided once for a data file and stored with it: every chunk of it is read under the same decision. */
export interface FileFormat {
  readonly tabular: TabularFormat
  /** Where byte ranges of chunks lie, if not in the payload itself. */
  readonly unpacked?: Unpacked
  readonly evidence: ColumnEvidence
  /** The saved mapping of its source that it is read with. */
  readonly source?: UsedMapping
  /** Field → the column it is read from, as the header is written. */
  readonly columns: Readonly<Record<string, string>>
}

/** What the rows of a file are read under. */
export type FileReading = Pick<RowContext, 'source'> & { readonly evidence: ColumnEvidence }

/** What the rows of a file are read under, by its format. */
export const readingOf = ({ evidence, source }: Pick<FileFormat, 'evidence' | 'source'>): FileReading =>
  source === undefined ? { evidence } : { evidence, source: source.options }

/** The columns that records of a file are usually read from. */
export function usualColumns(profile: Profile, names: readonly string[], help: MappingHelp): Record<string, string> {
  const { fields } = mapColumns(profile, names, help)
  return Object.fromEntries(
    fields.flatMap(({ field, own }) => {
      const name = own[0] === undefined ? undefined : names[own[0]]
      return name === undefined ? [] : [[field.name, name]]
    })
  )
}

/** The stored form; plain data that only this module reads back. */
export const toStored = (format: FileFormat): Json => format as unknown as Json

/** Reads the stored form back. */
export const fromStored = (stored: Json): FileFormat => stored as unknown as FileFormat

/** The object that byte ranges of a file's chunks lie in. */
export const rowsUri = (format: Pick<FileFormat, 'unpacked'> | null, payloadUri: string): string =>
  format?.unpacked?.uri ?? payloadUri
