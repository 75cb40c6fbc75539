import { readArea } from '../../src/normalize/amounts/area.ts'
import { readBoolean } from '../../src/normalize/codes/boolean.ts'
import { parcelFromBlockLot, parcelFromBoroughBlockLot, readParcel } from '../../src/normalize/codes/parcel.ts'
import { readDate } from '../../src/normalize/date.ts'
import { readIdentifier } from '../../src/normalize/identifier.ts'
import { readMoney, readMoneyRange } from '../../src/normalize/money.ts'
import { readMoneyWithProof } from '../../src/normalize/money-proof.ts'
import { readDecimal, readInteger } from '../../src/normalize/number.ts'
import { readLicense } from '../../src/normalize/parties/license.ts'
import { readPhone } from '../../src/normalize/parties/phone.ts'
import { addressParts } from '../../src/normalize/places/address.ts'
import { readCoordinates } from '../../src/normalize/places/coordinates.ts'
import { readLotAndBlock } from '../../src/normalize/places/legal-description.ts'
import { readState } from '../../src/normalize/places/state.ts'
import { readZip } from '../../src/normalize/places/zip.ts'
import { readText } from '../../src/normalize/text.ts'
import { STATUS_MAPPING } from '../../src/profiles/permit/permit-vocabulary.ts'
import { mapEnum } from '../../src/profiles/reading/map-enum.ts'
import { NEUTRAL, OCR, type PairRow, summary, US } from './summary.ts'

const COOK = '17031'
const date = (raw: string) => summary(readDate(raw, US))
const anyDate = (raw: string) => summary(readDate(raw, NEUTRAL))
const money = (raw: string) => summary(readMoney(raw, US))
const anyMoney = (raw: string) => summary(readMoney(raw, NEUTRAL))
const scanned = (raw: string) => summary(readMoney(raw, OCR))
const identifier = (raw: string) => summary(readIdentifier(raw, US))
const parcel = (jurisdiction: string) => (raw: string) => summary(readParcel(raw, jurisdiction))
const scannedParcel = (jurisdiction: string, known: string) => (raw: string) =>
  summary(readParcel(raw, jurisdiction, { source: 'ocr', isKnown: key => key === known }))
const blockLot = (raw: string) => {
  const [block = '', lot = ''] = raw.split('/')
  return summary(parcelFromBlockLot(block, lot))
}
const boroughBlockLot = (raw: string) => {
  const [borough = '', block = '', lot = ''] = raw.split('/')
  return summary(parcelFromBoroughBlockLot(borough, block, lot))
}
const boolean = (raw: string) => summary(readBoolean(raw))
function status(raw: string): string {
  const reading = readText(raw)
  const source = { ...reading, raw, confidence: 1, origin: null }
  const mapped = mapEnum(STATUS_MAPPING, source) ?? source
  return summary({ ...mapped, status: mapped.status === 'derived' ? 'found' : mapped.status })
}

export const PERMIT_PAIRS: readonly PairRow[] = [
  { pair: 1, raw: 'BLDR-012780-2023', read: identifier, is: 'BLDR-012780-2023' },
  {
    pair: 2,
    raw: '202506309745',
    read: raw => summary(readIdentifier(raw, { ...US, source: 'json' })),
    is: '202506309745 COERCED_TO_STRING'
  },
  { pair: 3, raw: '1.70312E+13', read: parcel(COOK), is: 'null ID_NUMERIC_COERCED' },
  { pair: 3, raw: '860914e1', read: identifier, is: '860914e1', note: 'without a point or sign it is an identifier' },
  { pair: 4, raw: '17-03-123-045-0000', read: parcel(COOK), is: '17031230450000' },
  { pair: 5, raw: '17-03-123-045', read: parcel(COOK), is: '17031230450000 SUFFIX_DEFAULTED' },
  { pair: 6, raw: '1-00123-0045', read: parcel('3651000'), is: '1001230045' },
  {
    pair: 7,
    raw: 'MANHATTAN/123/45',
    read: boroughBlockLot,
    is: '1001230045 DERIVED'
  },
  {
    pair: 8,
    raw: '0275B/054',
    read: blockLot,
    is: '0275B054'
  },
  {
    pair: 9,
    raw: '576/26',
    read: blockLot,
    is: '0576026 ZERO_PADDED'
  },
  { pair: 10, raw: '5043-018-025', read: parcel('06037'), is: '5043018025' },
  { pair: 11, raw: 'O42O59OO1OO14', read: scannedParcel('48201', '0420590010014'), is: '0420590010014 OCR_REPAIR' },
  {
    pair: 11,
    raw: 'O42O59OO1OO14',
    read: scannedParcel('48201', 'another'),
    is: 'null OCR_SUSPECT OCR_REPAIR_REFUSED {0420590010014}',
    note: 'without a registry hit'
  },
  { pair: 12, raw: '17-03-I23-045-OOOO', read: scannedParcel(COOK, '17031230450000'), is: '17031230450000 OCR_REPAIR' },
  { pair: 12, raw: '17-03-I23-045-OOOO', read: parcel(COOK), is: '17-03-I23-045-OOOO PARCEL_FORMAT_UNUSUAL' },
  {
    pair: 13,
    raw: 'Lot 4 Blk 2 Sunny Acres',
    read: readLotAndBlock,
    is: { lot: '4', block: '2', subdivision: 'SUNNY ACRES' }
  },
  { pair: 14, raw: '2025-07-01T20:07:56.000', read: date, is: '2025-07-01' },
  { pair: 14, raw: '2025-07-01T23:59:00-08:00', read: date, is: '2025-07-01', note: 'a zone never shifts the day' },
  {
    pair: 15,
    raw: '1672531200000',
    read: raw => summary(readDate(raw, { ...US, source: 'json' })),
    is: '2023-01-01 EPOCH_MS'
  },
  { pair: 15, raw: '1672531200000', read: date, is: 'null INVALID_DATE', note: 'only as a JSON number' },
  { pair: 16, raw: '4/21/2006 12:00:00 AM', read: date, is: '2006-04-21' },
  {
    pair: 17,
    raw: '45108',
    read: raw => summary(readDate(raw, { ...US, source: 'cell', serialDates: '1900' })),
    is: '2023-07-01 EXCEL_SERIAL'
  },
  { pair: 17, raw: '45108', read: date, is: 'null INVALID_DATE', note: 'no column of serial dates declared' },
  { pair: 17, raw: '0.40625', read: date, is: 'null INVALID_DATE' },
  { pair: 18, raw: '07/01/25', read: date, is: '2025-07-01 TWO_DIGIT_YEAR' },
  {
    pair: 19,
    raw: '12/31/28',
    read: raw => summary(readDate(raw, { ...US, yearPivot: 'future' })),
    is: '2028-12-31 TWO_DIGIT_YEAR'
  },
  { pair: 20, raw: '31.12.2028', read: anyDate, is: '2028-12-31' },
  { pair: 21, raw: 'Feb. 29, 2023', read: date, is: 'null INVALID_DATE' },
  { pair: 22, raw: '02/30/2024', read: date, is: 'null INVALID_DATE' },
  { pair: 23, raw: '03/04/2024', read: date, is: '2024-03-04' },
  { pair: 24, raw: '03/04/2024', read: anyDate, is: 'null AMBIGUOUS_DATE {2024-03-04|2024-04-03}' },
  { pair: 25, raw: '13/04/2024', read: date, is: '2024-04-13 DATE_ORDER_SWITCHED' },
  ...['01/01/1900', '1899-12-30', '0001-01-01', '00/00/0000'].map(raw => ({
    pair: 26,
    raw,
    read: date,
    is: 'null SENTINEL_DATE'
  })),
  { pair: 27, raw: '7-1-2O25', read: raw => summary(readDate(raw, OCR)), is: '2025-07-01 OCR_REPAIR' },
  { pair: 27, raw: '7-1-2O25', read: date, is: 'null INVALID_DATE', note: 'typed text is never repaired' },
  { pair: 28, raw: 'July 1st, 2025', read: date, is: '2025-07-01' },
  { pair: 28, raw: '1 JUL 25', read: date, is: '2025-07-01 TWO_DIGIT_YEAR', note: 'every two-digit year is flagged' },
  { pair: 28, raw: '20250701', read: date, is: '2025-07-01' },
  { pair: 29, raw: '5000.0', read: anyMoney, is: '5000.00' },
  { pair: 30, raw: '$412,375', read: anyMoney, is: '412375.00' },
  ...['1.5M', '$1.5 million', '1.5MM'].map(raw => ({ pair: 31, raw, read: anyMoney, is: '1500000.00 SCALED_SUFFIX' })),
  ...['150K', '150 thousand'].map(raw => ({ pair: 32, raw, read: anyMoney, is: '150000.00 SCALED_SUFFIX' })),
  ...['$25,000.-', '$25,000.--'].map(raw => ({ pair: 33, raw, read: anyMoney, is: '25000.00' })),
  { pair: 34, raw: '25.000,00', read: money, is: '25000.00 EU_DECIMAL' },
  { pair: 35, raw: '1.234', read: anyMoney, is: 'null AMBIGUOUS_NUMBER {1.234|1234.00}' },
  { pair: 36, raw: 'S75.00', read: scanned, is: '75.00 OCR_REPAIR' },
  { pair: 37, raw: 'SI,OOO.OO', read: scanned, is: 'null OCR_SUSPECT {1000.00}', note: 'without proof' },
  {
    pair: 37,
    raw: 'SI,OOO.OO',
    read: raw => summary(readMoneyWithProof(raw, OCR, value => value === '100.00' || value === '1000.00')),
    is: '1000.00 OCR_REPAIR'
  },
  { pair: 38, raw: '$2,00 1.00', read: money, is: '2001.00 INNER_SPACE' },
  {
    pair: 39,
    raw: 'S I .00 TO S500.00',
    read: raw => summary(readMoneyRange(raw, OCR)),
    is: '["1.00","500.00"] OCR_REPAIR'
  },
  {
    pair: 40,
    raw: '5489.30',
    read: raw => summary(readMoneyWithProof(raw, OCR, value => value === '489.30')),
    is: '489.30 OCR_REPAIR'
  },
  {
    pair: 41,
    raw: '5489.30',
    read: raw => summary(readMoneyWithProof(raw, OCR, () => false)),
    is: '5489.30 OCR_SUSPECT'
  },
  { pair: 42, raw: '($1,234.50)', read: money, is: '-1234.50' },
  ...['1,234.50-', '1,234.50 CR'].map(raw => ({ pair: 43, raw, read: anyMoney, is: '-1234.50' })),
  ...['N/A', 'NA', 'none'].map(raw => ({ pair: 44, raw, read: money, is: 'null EXPLICIT_NONE' })),
  ...['-', '--', 'TBD', 'see plans'].map(raw => ({ pair: 44, raw, read: date, is: 'null PLACEHOLDER' })),
  { pair: 44, raw: ' ', read: identifier, is: 'null', note: 'blank is absent, neither a none nor a placeholder' },
  { pair: 45, raw: '0', read: money, is: '0.00', note: 'VALUATION_ZERO is a rule of the profile' },
  { pair: 46, raw: '15,000 - 20,000', read: money, is: 'null RANGE_NOT_SCALAR {15000.00|20000.00}' },
  { pair: 47, raw: '94109-1234', read: raw => readZip(raw).zip4, is: '1234' },
  { pair: 47, raw: '94109-1234', read: raw => summary(readZip(raw)), is: '94109' },
  { pair: 48, raw: '2138', read: raw => summary(readZip(raw, 'MA')), is: '02138 ZERO_PADDED' },
  { pair: 48, raw: '2138', read: raw => summary(readZip(raw, 'CA')), is: 'null FIELD_INVALID' },
  ...['Calif.', 'CALIFORNIA', 'ca'].map(raw => ({
    pair: 49,
    raw,
    read: (each: string) => summary(readState(each)),
    is: 'CA'
  })),
  {
    pair: 50,
    raw: '1800 Pacific Av',
    read: addressParts,
    is: {
      houseNumber: '1800',
      predirection: null,
      street: 'PACIFIC',
      suffix: 'AVE',
      postdirection: null,
      unit: null,
      city: null,
      state: null,
      zip: null,
      flags: ['SUFFIX_STD']
    }
  },
  {
    pair: 51,
    raw: '233 S. Wacker Dr., Ste 4600',
    read: addressParts,
    is: {
      houseNumber: '233',
      predirection: 'S',
      street: 'WACKER',
      suffix: 'DR',
      postdirection: null,
      unit: 'STE 4600',
      city: null,
      state: null,
      zip: null,
      flags: []
    }
  },
  { pair: 52, raw: '2,140 SF', read: raw => summary(readArea(raw, NEUTRAL)), is: '2140' },
  { pair: 52, raw: '2140 sq. ft.', read: raw => summary(readArea(raw, NEUTRAL)), is: '2140' },
  { pair: 52, raw: '199 m²', read: raw => summary(readArea(raw, NEUTRAL)), is: '2142 UNIT_CONVERTED' },
  { pair: 53, raw: '72.0', read: raw => summary(readInteger(raw, NEUTRAL)), is: '72' },
  { pair: 53, raw: '72.5', read: raw => summary(readInteger(raw, NEUTRAL)), is: 'null NOT_INTEGER INVALID_NUMBER' },
  { pair: 54, raw: '2 1/2', read: raw => summary(readDecimal(raw, US)), is: '2.5' },
  { pair: 54, raw: '2½', read: raw => summary(readDecimal(raw, US)), is: '2.5' },
  { pair: 54, raw: 'two', read: raw => summary(readDecimal(raw, US)), is: '2' },
  { pair: 55, raw: 'issued', read: status, is: 'Permit Issued' },
  { pair: 55, raw: 'Complete', read: status, is: 'Permit Finaled' },
  { pair: 55, raw: 'reviews in process', read: status, is: 'In Review' },
  { pair: 55, raw: 'Zoning Hold 7B', read: status, is: 'null UNMAPPED_ENUM' },
  ...['☒', '[X]', 'Y', 'Yes', 'on'].map(raw => ({ pair: 56, raw, read: boolean, is: 'true' })),
  ...['☐', '[ ]', 'N'].map(raw => ({ pair: 56, raw, read: boolean, is: 'false' })),
  {
    pair: 57,
    raw: '(-122.425, 37.795)',
    read: raw => readCoordinates(raw, NEUTRAL),
    is: { latitude: '37.795', longitude: '-122.425', flags: ['AXES_SWAPPED'] }
  },
  {
    pair: 58,
    raw: '(206) 555-O1OO x12',
    read: raw => summary(readPhone(raw, OCR)),
    is: '+12065550100;ext=12 OCR_REPAIR'
  },
  { pair: 58, raw: '(206) 555-O1OO x12', read: raw => summary(readPhone(raw, US)), is: 'null FIELD_INVALID' },
  { pair: 59, raw: 'CA LIC# 987654 (B)', read: readLicense, is: { number: '987654', state: 'CA', class: 'B' } }
]
