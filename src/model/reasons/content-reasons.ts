import { permanent, type ReasonKind } from './reason-kind.ts'

/** What is wrong with a file, with how it is written, and with its values. */
export const CONTENT_REASONS = {
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
  VALUATION_ZERO: permanent('warn', 'The valuation is zero. Check it.')
} as const satisfies Record<string, ReasonKind>
