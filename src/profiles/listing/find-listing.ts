import type { DocumentText } from '../../model/document-text.ts'
import type { Envelope, Origin } from '../../model/envelope.ts'
import { reasonOf } from '../../model/reasons.ts'
import type { RawRow } from '../../model/rows.ts'
import type { Candidate } from '../candidate.ts'
import type { FindContext } from '../find/find-fields.ts'
import { illegiblePages, textLayerReasons } from '../find/text-layer.ts'
import { permitListing } from '../permit/permit-listing.ts'
import type { Profile } from '../profile.ts'
import { gatherEvidence } from '../tabular/column-evidence.ts'
import { rowMapper } from '../tabular/row-mapper.ts'
import { documentRows } from './document-rows.ts'
import { type FieldOf, headingReader, type ListingPlan } from './headings.ts'
import { joined, placeOf, textOf } from './listing-row.ts'
import { type ListingTable, listingTables } from './listing-table.ts'
import { type ListingRecord, recordsOf, withoutMarks } from './records.ts'

const PLANS: Readonly<Record<string, ListingPlan>> = { permit: permitListing }
/** Chance that a cell told apart by where it stands is the right one, and the same for cells that run into one another. */
const CELL = 0.98
const BLURRED = 0.5
/** They are committed together. A document of more says so instead. */
const MOST_RECORDS = 20_000

interface Placed {
  readonly row: RawRow
  readonly record: ListingRecord
}

/** How spreadsheets print an amount that is not there. */
const NO_AMOUNT = /^[$£€]\s*[-–—]$/

/** A record as a row of a data file, its marks of footnotes left out. */
function rawRowOf(record: ListingRecord, row: number, identifier: string): RawRow {
  const names = [...record.cells.keys()]
  const values = names.map(name => {
    const text = textOf(record.cells.get(name) ?? [])
    const value = name === identifier ? withoutMarks(text) : text
    return value === '' || NO_AMOUNT.test(value) ? null : value
  })
  return { row, line: row, names, values }
}

/** Headings that the profile's own column names do not know, by the field that a listing means by them. */
function meantBy(names: readonly string[], fieldOf: FieldOf): Record<string, string> {
  const meant: Record<string, string> = {}
  const taken = new Set<string>()
  for (const name of names) {
    const field = fieldOf(name)
    if (field === null || taken.has(field)) continue
    taken.add(field)
    meant[name] = field
  }
  return meant
}

/** Where the cells of a column of a record stand; all of the record for a column that is empty. */
function originIn(record: ListingRecord, origin: Origin | null): Origin | null {
  const column = origin && 'row' in origin ? (origin.column ?? '') : ''
  const pieces = record.cells.get(column) ?? record.cells.get(column.split(' + ')[0] ?? '') ?? []
  return placeOf(pieces.length > 0 ? pieces : record.pieces)
}

function placed(record: ListingRecord, envelope: Envelope): Envelope {
  const { origin } = envelope
  if (!origin || !('row' in origin)) return envelope
  const pieces = record.cells.get(origin.column ?? '') ?? []
  const [first, ...rest] = pieces
  const read = first ? joined([first, ...rest]).sureness : 1
  const sure = read * (record.isBlurred ? BLURRED : CELL)
  const raw = first && envelope.raw !== null ? textOf(pieces) : envelope.raw
  return { ...envelope, raw, origin: originIn(record, origin), confidence: envelope.confidence * sure }
}

function candidateOf(map: (row: RawRow) => Candidate, { row, record }: Placed): Candidate {
  const candidate = map(row)
  const fields = Object.entries(candidate.fields).map(([name, envelope]): [string, Envelope] => [
    name,
    placed(record, envelope)
  ])
  const reasons = candidate.reasons.map(reason => ({ ...reason, origin: originIn(record, reason.origin) }))
  return { ...candidate, fields: Object.fromEntries(fields), reasons }
}

function tableCandidates(
  profile: Profile,
  table: ListingTable,
  { fieldOf, first, context }: { fieldOf: FieldOf; first: number; context: FindContext }
): Candidate[] {
  const records = recordsOf(table, fieldOf)
  const identifier = table.headings[table.identifierAt]?.text ?? ''
  const rows = records.map((record, at) => ({ record, row: rawRowOf(record, first + at, identifier) }))
  const columns = meantBy([...new Set(rows.flatMap(({ row }) => row.names))], fieldOf)
  const evidence = gatherEvidence(profile, columns)
  for (const { row } of rows) evidence.add(row)
  const { today, jurisdiction, overrides } = context
  const source = { columns, ...(overrides?.dateOrder ? { dateOrder: overrides.dateOrder } : {}) }
  const map = rowMapper(profile, { today, jurisdiction, source, evidence: evidence.result() })
  return rows.map(row => candidateOf(map, row))
}

/**
 * The records of a document that lists many, one for each row of its tables; null when it is no listing. Pure and linear
 * in the size of the document. What is wrong with the document as a whole stands with every record.
 */
export function findListing(profile: Profile, document: DocumentText, context: FindContext): Candidate[] | null {
  const plan = PLANS[profile.name]
  if (!plan) return null
  const fieldOf = headingReader(profile, plan)
  const candidates: Candidate[] = []
  for (const table of listingTables(documentRows(document), fieldOf, plan)) {
    candidates.push(...tableCandidates(profile, table, { fieldOf, first: candidates.length + 1, context }))
  }
  if (candidates.length === 0) return null
  if (candidates.length > MOST_RECORDS) {
    const reason = reasonOf('PAGE_LIMIT', { detail: `more than ${MOST_RECORDS} records in one document` })
    return [{ fields: {}, extra: {}, reasons: [reason] }]
  }
  const illegible = illegiblePages(document)
  const whole = [...textLayerReasons(document), ...(illegible ? [illegible] : [])]
  return candidates.map(candidate => ({ ...candidate, reasons: [...whole, ...candidate.reasons] }))
}
