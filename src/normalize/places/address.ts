import { foldShort, OVERLONG } from '../text.ts'
import { stateCodeOf } from './state.ts'

/** Parts of a United States street address in postal abbreviations, upper case; null where not stated. */
export interface AddressParts {
  readonly houseNumber: string | null
  readonly predirection: string | null
  readonly street: string | null
  readonly suffix: string | null
  readonly postdirection: string | null
  readonly unit: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
  readonly flags: readonly string[]
}

const DIRECTIONS: ReadonlyMap<string, string> = new Map(
  'N,NORTH|S,SOUTH|E,EAST|W,WEST|NE,NORTHEAST|NW,NORTHWEST|SE,SOUTHEAST|SW,SOUTHWEST'
    .split('|')
    .flatMap(entry => entry.split(',').map(word => [word, entry.split(',')[0] ?? ''] as const))
)
/** USPS Publication 28, appendix C1: the standard form first, then common variants. */
const SUFFIXES: ReadonlyMap<string, string> = new Map(
  'AVE,AV,AVENUE,AVEN|ST,STREET,STR|RD,ROAD|DR,DRIVE,DRV|BLVD,BOULEVARD,BOUL|LN,LANE|CT,COURT|PL,PLACE|CIR,CIRCLE|TER,TERRACE,TERR|WAY,WY|PKWY,PARKWAY,PKY|HWY,HIGHWAY|SQ,SQUARE|TRL,TRAIL|ALY,ALLEY|PLZ,PLAZA|LOOP|ROW|PATH|PIKE|RUN|XING,CROSSING'
    .split('|')
    .flatMap(entry => entry.split(',').map(word => [word, entry.split(',')[0] ?? ''] as const))
)
const UNITS: ReadonlyMap<string, string> = new Map(
  'STE,SUITE|APT,APARTMENT|UNIT|FL,FLOOR|RM,ROOM|BLDG,BUILDING|#'
    .split('|')
    .flatMap(entry => entry.split(',').map(word => [word, entry.split(',')[0] ?? ''] as const))
)
const HOUSE_NUMBER = /^\d{1,6}(?:-\d{1,4})?[A-Z]?$/
const MAX_ADDRESS_LENGTH = 300

/**
 * Splits an address into standard parts for keys and look-ups; the address as written is kept by `readText`.
 * `SUFFIX_STD` marks a suffix that was not in its standard form. Parts that cannot be told stay null.
 */
export function addressParts(raw: string): AddressParts {
  const text = foldShort(raw, MAX_ADDRESS_LENGTH)
  const segments = text === OVERLONG ? [] : text.toUpperCase().split(/ ?, ?/)
  const line = readStreet(wordsOf(segments[0] ?? ''))
  let unit = line.unit
  const rest = segments.slice(1).filter(segment => {
    const parts = readUnit(wordsOf(segment))
    if (parts === null || unit !== null) return true
    unit = parts
    return false
  })
  return { ...line, unit, ...readPlace(rest) }
}

/** A comparable form of an address: standard parts joined by spaces. */
export function addressKey(raw: string): string {
  const { houseNumber, predirection, street, suffix, postdirection, unit, city, state, zip } = addressParts(raw)
  return [houseNumber, predirection, street, suffix, postdirection, unit, city, state, zip]
    .filter(part => part !== null)
    .join(' ')
}

function wordsOf(segment: string): string[] {
  return segment
    .replaceAll('#', ' # ')
    .split(' ')
    .map(word => word.replace(/\.$/, ''))
    .filter(word => word !== '')
}

function readStreet(words: string[]): Omit<AddressParts, 'city' | 'state' | 'zip'> {
  const houseNumber = HOUSE_NUMBER.test(words[0] ?? '') && words.length > 1 ? (words.shift() ?? null) : null
  const unitAt = words.findIndex((word, index) => index > 0 && UNITS.has(word) && index < words.length - 1)
  const unit = unitAt > 0 ? readUnit(words.splice(unitAt)) : null
  const postdirection = words.length > 2 ? (DIRECTIONS.get(words.at(-1) ?? '') ?? null) : null
  if (postdirection !== null) words.pop()
  const written = words.at(-1) ?? ''
  const suffix = words.length > 1 ? (SUFFIXES.get(written) ?? null) : null
  if (suffix !== null) words.pop()
  const predirection = words.length > 1 ? (DIRECTIONS.get(words[0] ?? '') ?? null) : null
  if (predirection !== null) words.shift()
  const street = words.length > 0 ? words.join(' ') : null
  const flags = suffix !== null && suffix !== written ? ['SUFFIX_STD'] : []
  return { houseNumber, predirection, street, suffix, postdirection, unit, flags }
}

function readUnit(words: readonly string[]): string | null {
  const kind = UNITS.get(words[0] ?? '')
  return kind === undefined || words.length < 2 ? null : [kind, ...words.slice(1)].join(' ')
}

function readPlace(segments: readonly string[]): Pick<AddressParts, 'city' | 'state' | 'zip'> {
  const last = segments.at(-1)
  if (last === undefined) return { city: null, state: null, zip: null }
  const words = wordsOf(last)
  const zip = /^\d{5}(?:-\d{4})?$/.test(words.at(-1) ?? '') ? (words.pop() ?? null) : null
  const state = stateCodeOf(words.join(' ')) ?? stateCodeOf(words.at(-1) ?? '')
  const hasOwnSegment = state !== null && stateCodeOf(words.join(' ')) !== null
  const cityWords = state !== null && !hasOwnSegment ? words.slice(0, -1) : words
  const city = hasOwnSegment ? (segments.at(-2) ?? null) : cityWords.join(' ')
  return { city: city === '' ? null : city, state, zip }
}
