import { type AddressParts, addressParts } from '../../normalize/places/address.ts'
import { isSameName } from './compare-names.ts'

/** What a record or a registry says of a parcel. */
export interface ParcelFacts {
  readonly ownerName?: string | null | undefined
  readonly siteAddress?: string | null | undefined
}

/** A statement that the registry contradicts. */
export interface Difference {
  readonly field: 'owner_name' | 'site_address'
  readonly code: 'OWNER_DIFFERS' | 'ADDRESS_DIFFERS'
  /** As stated, then as registered. Personal data: for the record's envelope, never for a log. */
  readonly readings: readonly [stated: string, registered: string]
}

const PARTS = [
  'houseNumber',
  'predirection',
  'street',
  'suffix',
  'postdirection',
  'unit',
  'city',
  'state',
  'zip'
] as const

const isSamePart = (name: keyof AddressParts, a: AddressParts, b: AddressParts): boolean => {
  const [left, right] = [a[name], b[name]]
  if (left === null || right === null) return true
  if (name === 'zip') return String(left).slice(0, 5) === String(right).slice(0, 5)
  return left === right
}

/**
 * Whether two addresses can be of one place: by parts, of which one that either leaves out says nothing, save the street and
 * the house number, which both must tell alike.
 */
export function isSameAddress(a: string, b: string): boolean {
  const [left, right] = [addressParts(a), addressParts(b)]
  if (left.street !== right.street || left.houseNumber !== right.houseNumber) return false
  return PARTS.every(name => isSamePart(name, left, right))
}

/** Where what a record states differs from what the registry has for its parcel; what either leaves out is not compared. */
export function compareParcel(stated: ParcelFacts, registered: ParcelFacts): readonly Difference[] {
  const differences: Difference[] = []
  const { ownerName, siteAddress } = stated
  if (ownerName && registered.ownerName && !isSameName(ownerName, registered.ownerName)) {
    differences.push({ field: 'owner_name', code: 'OWNER_DIFFERS', readings: [ownerName, registered.ownerName] })
  }
  if (siteAddress && registered.siteAddress && !isSameAddress(siteAddress, registered.siteAddress)) {
    differences.push({
      field: 'site_address',
      code: 'ADDRESS_DIFFERS',
      readings: [siteAddress, registered.siteAddress]
    })
  }
  return differences
}
