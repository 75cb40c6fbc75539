import { grouped, plain } from '../amounts.ts'
import { americanDay, dottedDay, isoDay } from '../calendar.ts'
import type { Random } from '../random.ts'
import type { Dialect } from './delimited.ts'
import type { Office } from './permit.ts'

const padded = (n: number, width: number): string => String(n).padStart(width, '0')

/** King County, Washington: ten digits without separators. */
export const KING: Office = {
  idOf: n => `BLD24-${padded(n, 5)}`,
  parcelOf: random => random.digits(10),
  zips: ['98199', '98103', '98118']
}

/** Cook County, Illinois: township-section-block-lot-unit. */
export const COOK: Office = {
  idOf: n => `1009${padded(n, 5)}`,
  parcelOf: random =>
    [random.digits(2), `0${1 + random.below(9)}`, random.digits(3), padded(random.below(999), 3), '0000'].join('-'),
  zips: ['60614', '60622', '60657']
}

/** Wake County, North Carolina: ten digits. */
export const WAKE: Office = {
  idOf: n => `BLDR-${padded(12_000 + n, 6)}-2024`,
  parcelOf: random => `17${random.digits(8)}`,
  zips: ['27601', '27513', '27519']
}

/** Los Angeles County, California: book-page-parcel. */
export const LOS_ANGELES: Office = {
  idOf: n => `24016-20000-${padded(n, 5)}`,
  parcelOf: (random: Random) =>
    [random.digits(4), padded(random.below(999), 3), padded(random.below(999), 3)].join('-'),
  zips: ['90012', '90026', '90041']
}

/** Column names of the BLDS specification, ISO dates. */
export const BLDS: Dialect = {
  delimiter: ',',
  lineEnd: '\r\n',
  byteOrderMark: true,
  columns: [
    ['PermitNum', permit => permit.id],
    ['PermitType', permit => permit.type],
    ['Description', permit => permit.description],
    ['AppliedDate', permit => isoDay(permit.applied)],
    ['IssuedDate', permit => (permit.issued ? isoDay(permit.issued) : '')],
    ['StatusCurrent', permit => permit.status],
    ['OriginalAddress1', permit => `${permit.houseNumber} ${permit.street}`],
    ['OriginalCity', () => 'Port Ashby'],
    ['OriginalState', () => 'WA'],
    ['OriginalZip', permit => permit.zip],
    ['PIN', permit => permit.parcel],
    ['EstProjectCost', permit => plain(permit.valuationCents)],
    ['TotalSqFt', permit => String(permit.squareFeet)],
    ['ContractorCompanyName', permit => permit.contractor]
  ]
}

/** Column names of a city's open data portal, American dates, amounts with signs and grouping. */
export const CITY: Dialect = {
  delimiter: ',',
  lineEnd: '\n',
  columns: [
    ['permit_', permit => permit.id],
    ['permit_type', permit => permit.type],
    ['permit_status', permit => permit.status.toUpperCase()],
    ['application_start_date', permit => americanDay(permit.applied)],
    ['issue_date', permit => (permit.issued ? americanDay(permit.issued) : '')],
    ['street_number', permit => permit.houseNumber],
    ['street_direction', () => 'N'],
    ['street_name', permit => permit.street.toUpperCase()],
    ['work_description', permit => permit.description],
    ['contact_1_name', permit => permit.applicant],
    ['reported_cost', permit => `$${grouped(permit.valuationCents)}`],
    ['pin1', permit => permit.parcel]
  ]
}

/** A spreadsheet saved under European regional settings: semicolons, decimal commas, day first. */
export const SEMICOLON: Dialect = {
  delimiter: ';',
  lineEnd: '\r\n',
  columns: [
    ['Permit Number', permit => permit.id],
    ['Permit Type', permit => permit.type],
    ['Parcel Number', permit => permit.parcel],
    ['Valuation', permit => grouped(permit.valuationCents, '.', ',')],
    ['Application Date', permit => dottedDay(permit.applied)],
    ['Status', permit => permit.status],
    ['Site Address', permit => `${permit.houseNumber} ${permit.street}; Los Angeles, CA ${permit.zip}`],
    ['Applicant Name', permit => permit.applicant],
    ['Work Description', permit => permit.description]
  ]
}
