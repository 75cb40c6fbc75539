import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { MappingRow } from '../../db/work/source-mappings.ts'
import type { Json } from '../../model/json.ts'
import type { Profile } from '../../profiles/profile.ts'
import { type SourceOptions, savedOptions } from '../../profiles/tabular/source-options.ts'

const MAX_HEADING = 200
const MAX_COLUMNS = 500
const Heading = z.string().max(MAX_HEADING)

/** What a source declares; the same members in what is sent and what is answered. */
export const MappingOptions = {
  columns: z
    .record(Heading.min(1), z.string().max(63).nullable())
    .refine(columns => Object.keys(columns).length <= MAX_COLUMNS)
    .optional()
    .meta({ description: 'Heading → field of the profile; null for a column that is kept and read as no field' }),
  header: z
    .array(Heading)
    .min(1)
    .max(MAX_COLUMNS)
    .optional()
    .meta({ description: 'Headings of files that have no header row, in their order' }),
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  quote: z
    .enum(['"', "'"])
    .nullable()
    .optional()
    .meta({ description: 'What stands around cells; null where quote marks are ordinary characters' }),
  escape: z
    .enum(['double', 'backslash'])
    .optional()
    .meta({ description: 'What makes a quote mark in a quoted cell ordinary: a second one, or a backslash before it' }),
  encoding: z.string().max(40).optional(),
  date_order: z.enum(['mdy', 'dmy', 'ymd']).optional(),
  decimal: z.enum(['.', ',']).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .meta({ description: 'ISO 4217 code of amounts without one; USD by default' }),
  serial_dates: z
    .enum(['1900', '1904'])
    .optional()
    .meta({ description: 'Numbers in date columns are day numbers of a spreadsheet of this system' })
}

const Options = z.object(MappingOptions)

/** Options as stored: only what was given. */
export function toOptions(sent: z.infer<typeof Options>): SourceOptions {
  const { date_order, serial_dates, ...same } = sent
  const given = Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined)) as Omit<
    SourceOptions,
    'dateOrder' | 'serialDates'
  >
  return {
    ...given,
    ...(date_order === undefined ? {} : { dateOrder: date_order }),
    ...(serial_dates === undefined ? {} : { serialDates: serial_dates })
  }
}

function byName<T>(members: readonly (readonly [string, T])[]): (readonly [string, T])[] {
  return members.toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Hex SHA-256 of options; the order in which columns were named does not count, their order in a header does. */
export function optionsDigest(options: SourceOptions): string {
  const { columns = {}, ...rest } = options
  const members = byName(Object.entries({ ...rest, columns: byName(Object.entries(columns)) }))
  return createHash('sha256').update(JSON.stringify(members)).digest('hex')
}

export const MappingBody = Options.extend({
  jurisdiction: z.string(),
  profile: z.string(),
  source: z.string().nullable().meta({ description: 'null: files that are sent without a source' }),
  version: z.number().int(),
  current: z.boolean().meta({ description: 'Whether files are read with this version now' }),
  sha256: z.string(),
  saved_by: z.string(),
  saved_at: z.string().meta({ format: 'date-time' })
}).meta({ id: 'Mapping' })

/** A saved mapping as answered. Of a profile this process lacks the options are shown as saved. */
export function presentMapping(row: MappingRow, profile: Profile | undefined): z.infer<typeof MappingBody> {
  const { dateOrder, serialDates, columns, header, ...rest } = savedOptions(row.options, profile)
  return {
    jurisdiction: row.jurisdiction,
    profile: row.profile,
    source: row.source,
    version: row.version,
    current: row.isCurrent,
    sha256: row.digest,
    saved_by: row.savedBy,
    saved_at: row.savedAt.toISOString(),
    ...rest,
    ...(columns === undefined ? {} : { columns: { ...columns } }),
    ...(header === undefined ? {} : { header: [...header] }),
    ...(dateOrder === undefined ? {} : { date_order: dateOrder }),
    ...(serialDates === undefined ? {} : { serial_dates: serialDates })
  }
}

/** Options as the database keeps them. */
export const storedOptions = (options: SourceOptions): Json => options as unknown as Json
