import { permanent, type ReasonKind } from './reason-kind.ts'

/** What is wrong with a record as a whole: across its fields, beside registries and rules, and in how it was handled. */
export const RECORD_REASONS = {
  DATE_ORDER: permanent('block', 'Two dates stand in the wrong order. Correct one.'),
  TERM_MISMATCH: permanent('block', 'The stated term does not fit the two dates. Correct one of the three.'),
  TERM_UNUSUAL: permanent('warn', 'The term is of unusual length. Check the dates.'),
  WORDS_DIGITS_MISMATCH: permanent(
    'block',
    'The amount in words differs from the amount in digits. Choose the right one.'
  ),
  PREMIUM_SUM_MISMATCH: permanent(
    'block',
    'The parts of the premium do not add up to the total. Check them; enter the total they make, or every required field.'
  ),
  RENT_ARITHMETIC_MISMATCH: permanent('block', 'The monthly and yearly rent do not agree. Check them.'),
  SCHEDULE_GAP: permanent('warn', 'The rent schedule has a gap. Check it.'),
  FEE_MISMATCH: permanent('warn', 'The stated fee differs from the computed one. Check it.'),
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
