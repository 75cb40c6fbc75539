/** How one county or city writes its parcel numbers. */
export interface ParcelScheme {
  readonly name: string
  /** The key: what remains without separators, upper case. */
  readonly key: RegExp
  /** Shorter text is not such a number, nor the part of one that is written alone. */
  readonly least: number
  /** Lengths of the parts it is printed in, with dashes between them; absent: printed in one. */
  readonly groups?: readonly number[]
  /** Whether a part that is printed short lacks zeros in front, as in block `576` and lot `26`. */
  readonly padsGroups?: boolean
  /** Appended when only this shorter form is written, e.g. the unit suffix of a Cook County PIN. */
  readonly suffix?: { readonly length: number; readonly text: string }
}

const COOK: ParcelScheme = {
  name: 'cook-pin',
  least: 10,
  key: /^\d{14}$/,
  groups: [2, 2, 3, 3, 4],
  suffix: { length: 10, text: '0000' }
}
const NEW_YORK: ParcelScheme = { name: 'nyc-bbl', least: 5, key: /^[1-5]\d{9}$/, groups: [1, 5, 4], padsGroups: true }
const TEN_DIGITS: RegExp = /^\d{10}$/
const SAN_FRANCISCO: ParcelScheme = {
  name: 'sf-blocklot',
  least: 3,
  key: /^\d{4}[A-Z]?\d{3}[A-Z]?$/,
  groups: [4, 3],
  padsGroups: true
}
const LOS_ANGELES: ParcelScheme = { name: 'la-ain', least: 10, key: TEN_DIGITS, groups: [4, 3, 3] }
const KING: ParcelScheme = { name: 'king-pin', least: 10, key: TEN_DIGITS }
const TRAVIS: ParcelScheme = { name: 'tcad-id', least: 10, key: TEN_DIGITS }
const WAKE: ParcelScheme = { name: 'wake-pin', least: 10, key: TEN_DIGITS }

/** Parcel number formats by Census GEOID of the county, and of the city where it keeps its own permits. */
const SCHEMES: ReadonlyMap<string, ParcelScheme> = new Map([
  ['17031', COOK],
  ['1714000', COOK],
  ['36005', NEW_YORK],
  ['36047', NEW_YORK],
  ['36061', NEW_YORK],
  ['36081', NEW_YORK],
  ['36085', NEW_YORK],
  ['3651000', NEW_YORK],
  ['06037', LOS_ANGELES],
  ['0644000', LOS_ANGELES],
  ['06073', { name: 'san-diego-apn', least: 10, key: TEN_DIGITS, groups: [3, 3, 2, 2] }],
  ['04013', { name: 'maricopa-apn', least: 8, key: /^\d{8}[A-Z]?$/, groups: [3, 2, 3] }],
  ['53033', KING],
  ['5363000', KING],
  ['48201', { name: 'hcad-account', least: 13, key: /^\d{13}$/ }],
  ['48453', TRAVIS],
  ['4805000', TRAVIS],
  ['12086', { name: 'miami-dade-folio', least: 13, key: /^\d{13}$/, groups: [2, 4, 3, 4] }],
  ['39035', { name: 'cuyahoga-ppn', least: 8, key: /^\d{8}$/, groups: [3, 2, 3] }],
  ['06075', SAN_FRANCISCO],
  ['0667000', SAN_FRANCISCO],
  ['37183', WAKE],
  ['3755000', WAKE]
])

/** The scheme of a jurisdiction, or null when its format is not known. */
export function parcelSchemeOf(jurisdiction: string): ParcelScheme | null {
  return SCHEMES.get(jurisdiction) ?? null
}

/** The schemes that are known, by name. */
export const PARCEL_SCHEMES: ReadonlyMap<string, ParcelScheme> = new Map(
  [...SCHEMES.values()].map(scheme => [scheme.name, scheme])
)
