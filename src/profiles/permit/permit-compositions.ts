import type { Composition } from '../profile.ts'

const DERIVED = ['DERIVED']
const PADDED = ['DERIVED', 'ZERO_PADDED']

/** The first digit of a New York parcel (BBL): borough by name, abbreviation or number. */
const BOROUGHS: Readonly<Record<string, string>> = {
  manhattan: '1',
  mn: '1',
  bronx: '2',
  bx: '2',
  brooklyn: '3',
  bk: '3',
  queens: '4',
  qn: '4',
  'staten island': '5',
  si: '5'
}

function boroughDigit(text: string): string | undefined {
  const folded = text.trim().toLowerCase()
  if (/^[1-5]$/.test(folded)) return folded
  return Object.hasOwn(BOROUGHS, folded) ? BOROUGHS[folded] : undefined
}

/** Borough (1) + block (5) + lot (4), the form New York's own data sets use. */
const newYorkParcel: Composition = {
  name: 'borough-block-lot',
  version: 1,
  field: 'parcel_id',
  parts: { borough: ['borough', 'boro'], block: ['block'], lot: ['lot'] },
  needs: ['borough', 'block', 'lot'],
  compose: ({ borough = '', block = '', lot = '' }) => {
    const digit = boroughDigit(borough)
    if (digit === undefined || !/^\d{1,5}$/.test(block) || !/^\d{1,4}$/.test(lot)) return null
    return { value: `${digit}${block.padStart(5, '0')}${lot.padStart(4, '0')}`, flags: DERIVED }
  }
}

const SF_BLOCK = /^(\d{1,4})([A-Z]?)$/
const SF_LOT = /^(\d{1,3})([A-Z]?)$/

/** Block (4 digits and a letter) + lot (3 digits and a letter), the form San Francisco's assessor uses. */
const blockAndLot: Composition = {
  name: 'block-lot',
  version: 1,
  field: 'parcel_id',
  parts: { block: ['block'], lot: ['lot'] },
  needs: ['block', 'lot'],
  compose: ({ block = '', lot = '' }) => {
    const [, blockDigits, blockLetter = ''] = SF_BLOCK.exec(block.toUpperCase()) ?? []
    const [, lotDigits, lotLetter = ''] = SF_LOT.exec(lot.toUpperCase()) ?? []
    if (blockDigits === undefined || lotDigits === undefined) return null
    const isPadded = blockDigits.length < 4 || lotDigits.length < 3
    const value = `${blockDigits.padStart(4, '0')}${blockLetter}${lotDigits.padStart(3, '0')}${lotLetter}`
    return { value, flags: isPadded ? PADDED : DERIVED }
  }
}

const ADDRESS_ORDER = ['number', 'direction', 'street', 'suffix', 'unit'] as const

const streetAddress: Composition = {
  name: 'street-address',
  version: 1,
  field: 'site_address',
  parts: {
    number: ['street_number', 'house_no', 'house_number', 'house_num', 'b1_hse_nbr_start'],
    direction: ['street_direction', 'predir', 'b1_str_dir'],
    street: ['street_name', 'street', 'b1_str_name'],
    suffix: ['street_suffix', 'street_type', 'b1_str_suffix'],
    unit: ['unit', 'unit_number', 'apartment']
  },
  needs: ['street'],
  compose: parts => ({
    value: ADDRESS_ORDER.flatMap(name => parts[name] ?? []).join(' '),
    flags: DERIVED
  })
}

/** Several columns that make one field of a permit; the first that fits is taken. */
export const PERMIT_COMPOSITIONS: readonly Composition[] = [newYorkParcel, blockAndLot, streetAddress]
