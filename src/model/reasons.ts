import type { Origin } from './envelope.ts'

/** `fatal` rejects at once, `block` holds for a person, `warn` and `info` do neither. */
export type Severity = 'info' | 'warn' | 'block' | 'fatal'
export type FailureClass = 'transient' | 'permanent'

interface ReasonKind {
  readonly severity: Severity
  readonly failureClass: FailureClass
  /** A plain sentence for a clerk: what is wrong and what to do. Never holds a submitted value. */
  readonly message: string
}

const permanent = (severity: Severity, message: string): ReasonKind => ({
  severity,
  failureClass: 'permanent',
  message
})

/** The closed list of reasons why a record is not accepted, or what to look at. */
export const REASONS = {
  // file
  FILE_EMPTY: permanent('fatal', 'The file holds no bytes or no records. Send it again with its content.'),
  FILE_ENCRYPTED: permanent('block', 'The file is protected by a password. Send a copy without protection.'),
  FILE_CORRUPT: permanent('block', 'The file is damaged and cannot be read. Export or scan it again.'),
  FILE_TRUNCATED: permanent('block', 'The file ends before its own end marker. Send the whole file again.'),
  FILE_TYPE_UNSUPPORTED: permanent('fatal', 'Files of this type are not read. Send one of the supported types.'),
  FILE_TOO_LARGE: permanent('fatal', 'The file is larger than this service takes. Split it and send the parts.'),
  FILE_TYPE_MISMATCH: permanent(
    'block',
    'The content is not what the name or the declared type says. Check which file was meant.'
  ),
  ARCHIVE_TOO_DEEP: permanent(
    'block',
    'Archives in an archive are opened, archives in those are not. Take it out of the archive around it and send that again.'
  ),
  PAGE_LIMIT: permanent('block', 'The document has more pages than the limit. Send the relevant part.'),
  DOC_TYPE_UNKNOWN: permanent(
    'block',
    'The document is not recognised as one of this profile. Check that it was sent under the right profile.'
  ),
  MULTI_DOC_SUSPECTED: permanent('block', 'The file seems to hold more than one document. Send each on its own.'),
  NO_TEXT_LAYER: permanent(
    'block',
    'The pages are pictures without text. Enter the values from the image, or send a version with text.'
  ),
  TEXT_LAYER_UNREADABLE: permanent(
    'block',
    'The text in the file cannot be read as letters although the page may look right. Enter the values from the image.'
  ),
  PAGE_ILLEGIBLE: permanent('block', 'A page has no usable text. Check the values against the image.'),
  EXTRACTION_FAILED: permanent(
    'block',
    'The document holds more than is read from one. Send the relevant part, or enter the values by hand.'
  ),
  EXTRACTION_MEMORY: permanent(
    'block',
    'The document needs more memory to be read than one may have. Export it again, or enter the values by hand.'
  ),
  EXTRACTION_TIMEOUT: permanent(
    'block',
    'The document takes longer to be read than one may. Send it in parts, or enter the values by hand.'
  ),
  EXTRACTION_CRASH: permanent(
    'block',
    'The document ended the process that read it. Export it again, or enter the values by hand.'
  ),
  CONTENT_OUTSIDE_READ: permanent(
    'block',
    'The document holds content that is not read, such as images, embedded files or pending changes that matter. Check the values by hand.'
  ),
  TRACKED_CHANGES: permanent(
    'block',
    'The document has pending tracked changes. Accept or refuse them, or confirm the values.'
  ),
  PAYLOAD_DAMAGED: permanent(
    'block',
    'The stored bytes of this file are missing or are not what was received. Restore them from a backup, or send the file again.'
  ),
  // structure
  HEADER_MISSING: permanent(
    'block',
    'No header row with known column names was found. Add a header row or declare the columns.'
  ),
  DUPLICATE_HEADER: permanent(
    'block',
    'Two columns have the same name and different content. Rename one and send the file again.'
  ),
  COLUMN_COUNT_MISMATCH: permanent('block', 'The row has another number of cells than the header. Correct the row.'),
  SHEET_MISSING: permanent('block', 'The workbook has no sheet to read. Name one of its sheets, or unhide it.'),
  CELL_ERROR: permanent('block', 'A cell holds an error of the spreadsheet. Correct it and send the file again.'),
  FORMULA_NOT_CALCULATED: permanent(
    'block',
    'A formula stands here without the value it gives. Open the workbook, let it calculate, save it and send it again.'
  ),
  MERGED_CELLS: permanent(
    'block',
    'Merged cells lie over this row, so that it is not clear what belongs to it. Undo the merging and fill every cell.'
  ),
  UNCLOSED_QUOTE: permanent('block', 'A quoted cell is opened on this line and not closed. Correct the quote.'),
  ROW_UNPARSABLE: permanent('block', 'The row cannot be read in the format of its file. Correct the row.'),
  ENCODING_INVALID: permanent(
    'block',
    'The row holds bytes that are not text in the encoding of the file. Save the file as UTF-8 and correct the row.'
  ),
  JSON_INVALID: permanent('block', 'The text is not valid JSON. Correct it at the place named.'),
  JSON_TOO_DEEP: permanent('block', 'The value is nested more deeply than is read. Flatten it.'),
  DUPLICATE_KEY: permanent('block', 'An object names the same member twice. Keep the right one.'),
  RECORD_TOO_LARGE: permanent(
    'block',
    'The record is larger than one record may be. Check for a missing quote or line end.'
  ),
  TEXT_NOT_STORABLE: permanent(
    'block',
    'The text holds a NUL or half of a character and cannot be stored as text. Correct it.'
  ),
  VALUE_NOT_STORABLE: permanent('block', 'The database refused a value of this record. Correct the value.'),
  // value
  FIELD_MISSING: permanent('block', 'A required field is missing. Enter it.'),
  FIELD_INVALID: permanent('block', 'The value is not one this field can hold. Correct it.'),
  COLUMN_INFERRED: permanent(
    'warn',
    'The column was told by what its cells hold, since its heading alone may mean several things. Check it, or name the column for its source.'
  ),
  FIELD_WARNING: permanent('warn', 'The value of an optional field could not be read. It was left out.'),
  INVALID_DATE: permanent('block', 'The date does not exist or is not a date. Correct it.'),
  AMBIGUOUS_DATE: permanent(
    'block',
    'The date can be read in two ways. Choose the right one, or declare the order for this source.'
  ),
  DATE_PARTIAL: permanent('block', 'The date lacks its day. Enter the full date.'),
  CONTINGENT_DATE: permanent('block', 'The date depends on an event. Enter it from the commencement letter.'),
  SENTINEL_DATE: permanent('block', 'The date is a placeholder of the exporting system. Enter the right one.'),
  AMBIGUOUS_NUMBER: permanent(
    'block',
    'The number can be read in two ways. Choose the right one, or declare the decimal sign for this source.'
  ),
  INVALID_NUMBER: permanent('block', 'The value is not a number. Correct it.'),
  NEGATIVE_AMOUNT: permanent('block', 'The amount is negative and this field cannot be. Correct it.'),
  UNEXPECTED_CURRENCY: permanent('block', 'The amount is in another currency than this profile expects. Convert it.'),
  RANGE_NOT_SCALAR: permanent('block', 'The value is a range where one number is needed. Enter one.'),
  PERCENT_OR_AMOUNT_AMBIGUOUS: permanent(
    'block',
    'It is not clear whether the value is a percentage or an amount. Choose.'
  ),
  RATE_PERIOD_UNKNOWN: permanent('block', 'The period of the rate is not stated. Choose month or year.'),
  UNMAPPED_ENUM: permanent('warn', 'The value has no entry in the mapping table. It is kept as written.'),
  OUT_OF_RANGE: permanent('warn', 'The value is outside the usual range. Check it.'),
  PLACEHOLDER: permanent('block', 'The value is a placeholder. Enter the real one.'),
  UNFILLED_BLANK: permanent('block', 'The form was left blank here. Enter the value.'),
  REDACTED: permanent('block', 'The value is blacked out. Obtain an unredacted copy.'),
  ID_NUMERIC_COERCED: permanent(
    'block',
    'A program turned this identifier into a number or a date, and what it was cannot be told. Enter it from the original.'
  ),
  OCR_SUSPECT: permanent('block', 'The characters of this value are uncertain. Compare it with the image.'),
  LOW_CONFIDENCE: permanent('block', 'The values were found, but not surely enough to accept them unseen. Check them.'),
  MULTIPLE_CANDIDATES: permanent('block', 'More than one value fits this field. Choose the right one.'),
  JURISDICTION_MISMATCH: permanent(
    'block',
    'The record names another jurisdiction than the batch. Correct it, or send it to that jurisdiction.'
  ),
  VALUATION_ZERO: permanent('warn', 'The valuation is zero. Check it.'),
  // cross-field
  DATE_ORDER: permanent('block', 'Two dates stand in the wrong order. Correct one.'),
  TERM_MISMATCH: permanent('block', 'The stated term does not fit the two dates. Correct one of the three.'),
  TERM_UNUSUAL: permanent('warn', 'The term is of unusual length. Check the dates.'),
  WORDS_DIGITS_MISMATCH: permanent(
    'block',
    'The amount in words differs from the amount in digits. Choose the right one.'
  ),
  PREMIUM_SUM_MISMATCH: permanent('block', 'The parts of the premium do not add up to the total. Check them.'),
  RENT_ARITHMETIC_MISMATCH: permanent('block', 'The monthly and yearly rent do not agree. Check them.'),
  SCHEDULE_GAP: permanent('warn', 'The rent schedule has a gap. Check it.'),
  FEE_MISMATCH: permanent('warn', 'The stated fee differs from the computed one. Check it.'),
  // enrichment
  PARCEL_NO_MATCH: permanent('block', 'The parcel is not in the registry of this jurisdiction. Correct the parcel.'),
  PARCEL_MULTIPLE: permanent('block', 'The parcel matches more than one entry of the registry. Choose one.'),
  PARCEL_RETIRED: permanent(
    'block',
    'The registry says that this parcel does not exist any more. Find the parcel that took its place.'
  ),
  ZONING_NO_MATCH: permanent(
    'block',
    'The parcel is not in the zoning registry of this jurisdiction. Correct the parcel, or have the registry completed.'
  ),
  PROPERTY_NO_MATCH: permanent(
    'block',
    'The property is not in the registry of this jurisdiction. Correct the property.'
  ),
  PROPERTY_MULTIPLE: permanent('block', 'The property matches more than one entry of the registry. Choose one.'),
  REGISTRY_STALE: permanent(
    'block',
    'What the registry tells is older than may be relied on here. Check the value, or have the registry brought up to date.'
  ),
  FEE_SCHEDULE_MISSING: permanent('block', 'No fee schedule is active for this record. Load one, or correct the date.'),
  FEE_INPUT_MISSING: permanent(
    'block',
    'The fee schedule asks for something that this record does not tell. Enter it, or have the schedule say what holds without it.'
  ),
  FEE_NOT_COVERED: permanent(
    'block',
    'The fee schedule says nothing for this value. Correct the value, or complete the schedule.'
  ),
  OWNER_DIFFERS: permanent('warn', 'The parcel registry names another owner. Compare the two.'),
  ADDRESS_DIFFERS: permanent('warn', 'The parcel registry has another address for this parcel. Compare the two.'),
  // rules of the jurisdiction
  STATUTORY_FIELD_MISSING: permanent(
    'block',
    'A field that the rules of this jurisdiction require is missing. Enter it, or obtain it from the applicant.'
  ),
  VALUE_NOT_ALLOWED: permanent(
    'block',
    'The value is not one that the rules of this jurisdiction allow here. Choose one of those they name.'
  ),
  OUTSIDE_LIMITS: permanent('block', 'The value is outside what the rules of this jurisdiction allow. Correct it.'),
  ZONING_CONFLICT: permanent(
    'block',
    'The rules of this jurisdiction do not allow this type of permit in the zoning district of its parcel. Check both.'
  ),
  APPLICATION_EXPIRED: permanent(
    'block',
    'The application is older than the rules of this jurisdiction allow. Have it renewed, or reject it.'
  ),
  PARCEL_FORMAT_UNUSUAL: permanent(
    'warn',
    'The parcel number is not written as this jurisdiction writes them. Compare it with the source.'
  ),
  ENRICH_UNAVAILABLE: {
    severity: 'block',
    failureClass: 'transient',
    message: 'A registry could not be reached. The record is run again by itself when the registry answers.'
  },
  // handling
  DUPLICATE_RECORD: permanent('block', 'The same content is already held. It follows what is decided there.'),
  DECIDED_BEFORE: permanent(
    'info',
    'A person decided about this very content before, in the record named here. The same holds for it now; change the content to have it looked at anew.'
  ),
  CORRECTED: permanent('fatal', 'The record was replaced by a corrected one.'),
  CORRECTION_UNKNOWN: permanent(
    'block',
    'The row names a record that does not exist here. Take the id from the errors file, or leave its cell empty for a new record.'
  ),
  CORRECTION_OTHER_BATCH: permanent(
    'block',
    'The row names a record of another batch than the rows above it. Send the errors file of each batch on its own.'
  ),
  CORRECTION_REPEATED: permanent(
    'block',
    'More than one row names this record, so that it is not clear which of them counts. Send the one that does.'
  ),
  CORRECTION_SETTLED: permanent(
    'block',
    'The record that the row names does not wait for a correction any more. Look at what became of it before sending the row as a new record.'
  ),
  CANCELLED_BY_CLERK: permanent('fatal', 'A clerk rejected the record.'),
  MANUAL_HOLD: permanent('block', 'A person asked for this record to be held.'),
  PROCESSING_CRASH: permanent(
    'block',
    'Work on this record, or on the whole it was sent in, failed or ended its process each time it was tried. Enter the values by hand, or ask for help.'
  ),
  INTERNAL_ERROR: permanent(
    'block',
    'This record could not be processed because of a fault of this service. It can be run again once that is mended.'
  )
} as const satisfies Record<string, ReasonKind>

export type ReasonCode = keyof typeof REASONS

/** One reason as stored and shown. Snake case because it is stored and answered as it stands. */
export interface Reason {
  readonly code: ReasonCode
  readonly severity: Severity
  readonly failure_class: FailureClass
  readonly field: string | null
  readonly message: string
  readonly origin: Origin | null
}

export interface ReasonOptions {
  readonly field?: string
  readonly origin?: Origin | null
  /** Overrides the catalogue's severity, e.g. a bad optional value that only warns. */
  readonly severity?: Severity
  /** Appended to the sentence: names, positions and counts only, never a submitted value. */
  readonly detail?: string
}

/** Makes a reason from the catalogue. */
export function reasonOf(code: ReasonCode, options: ReasonOptions = {}): Reason {
  const kind: ReasonKind = REASONS[code]
  return {
    code,
    severity: options.severity ?? kind.severity,
    failure_class: kind.failureClass,
    field: options.field ?? null,
    message: options.detail ? `${kind.message} (${options.detail})` : kind.message,
    origin: options.origin ?? null
  }
}

/** What a record's reasons make of it, before confidence and duplicates are looked at. */
export function stateFromReasons(reasons: readonly Reason[]): 'accepted' | 'quarantined' | 'rejected' {
  if (reasons.some(reason => reason.severity === 'fatal')) return 'rejected'
  return reasons.some(reason => reason.severity === 'block') ? 'quarantined' : 'accepted'
}
