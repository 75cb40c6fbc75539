import type { Reading, ReadingContext } from '../../model/reading.ts'
import { identifierKey, readIdentifier } from '../identifier.ts'
import { isWithinRepairGate, repairDigits } from '../ocr.ts'
import { derived, found, invalid, withFlags } from '../outcome.ts'
import { foldText } from '../text.ts'
import { type ParcelScheme, parcelSchemeOf } from './parcel-schemes.ts'

/** A parcel number and the scheme its key follows; null when the jurisdiction's format is unknown or not met. */
export interface ParcelReading extends Reading<string> {
  readonly scheme: string | null
}

export interface ParcelOptions {
  readonly source?: ReadingContext['source']
  /** Independent proof that a key exists, e.g. a registry hit. Without it no recognised character is repaired. */
  readonly isKnown?: (key: string) => boolean
}

const BOROUGHS: ReadonlyMap<string, string> = new Map([
  ['manhattan', '1'],
  ['new york', '1'],
  ['bronx', '2'],
  ['the bronx', '2'],
  ['brooklyn', '3'],
  ['kings', '3'],
  ['queens', '4'],
  ['staten island', '5'],
  ['richmond', '5']
])
const SEPARATOR = /[ .\-/]+/
const SEPARATORS = /^[\dA-Za-z][\dA-Za-z .\-/]*$/

/**
 * The canonical key of a parcel number where the jurisdiction's format is known and met; otherwise the text
 * as written, flagged `PARCEL_FORMAT_UNUSUAL` when a known format is not met. `SUFFIX_DEFAULTED` marks an added
 * unit suffix. Scientific notation is `ID_NUMERIC_COERCED`. Digits are never cast to a number.
 */
export function readParcel(raw: string, jurisdiction: string, options: ParcelOptions = {}): ParcelReading {
  const reading = readIdentifier(raw, { today: '', source: options.source ?? 'text' })
  if (reading.value === null) return { ...reading, scheme: null }
  const scheme = parcelSchemeOf(jurisdiction)
  if (!scheme || !SEPARATORS.test(reading.value)) return { ...reading, scheme: null }
  const canonical = canonicalParcel(reading.value, scheme)
  if (canonical) return { ...withFlags(canonical, reading.flags), scheme: scheme.name }
  return (
    repairParcel(reading.value, scheme, options) ?? { ...withFlags(reading, ['PARCEL_FORMAT_UNUSUAL']), scheme: null }
  )
}

/** The key of a New York borough, block and lot, zero-padded to 1-5-4 digits. */
export function parcelFromBoroughBlockLot(borough: string, block: string, lot: string): Reading<string> {
  const name = foldText(borough).toLowerCase()
  const digit = BOROUGHS.get(name) ?? (/^[1-5]$/.test(name) ? name : null)
  const [blockText, lotText] = [foldText(block), foldText(lot)]
  if (digit === null || !/^\d{1,5}$/.test(blockText) || !/^\d{1,4}$/.test(lotText)) return invalid(['FIELD_INVALID'])
  return derived(digit + blockText.padStart(5, '0') + lotText.padStart(4, '0'))
}

/** The key of a San Francisco block and lot; missing zeros are added and flagged `ZERO_PADDED`. */
export function parcelFromBlockLot(block: string, lot: string): Reading<string> {
  const blockParts = /^(\d{1,4})([A-Z]?)$/.exec(foldText(block).toUpperCase())
  const lotParts = /^(\d{1,3})([A-Z]?)$/.exec(foldText(lot).toUpperCase())
  if (!blockParts || !lotParts) return invalid(['FIELD_INVALID'])
  const [blockDigits, lotDigits] = [blockParts[1] ?? '', lotParts[1] ?? '']
  const key = blockDigits.padStart(4, '0') + (blockParts[2] ?? '') + lotDigits.padStart(3, '0') + (lotParts[2] ?? '')
  return found(key, blockDigits.length < 4 || lotDigits.length < 3 ? ['ZERO_PADDED'] : [])
}

/** The key of parts that are printed short, each filled with zeros; null when they are not the scheme's parts. */
function paddedKey(text: string, { groups = [] }: ParcelScheme): string | null {
  const parts = text.toUpperCase().split(SEPARATOR)
  if (parts.length !== groups.length) return null
  const padded = parts.map((part, at) => {
    const [, digits = '', letter = ''] = /^(\d{1,14})([A-Z]?)$/.exec(part) ?? []
    const width = groups[at] ?? 0
    return digits === '' || digits.length > width ? null : digits.padStart(width, '0') + letter
  })
  return padded.includes(null) ? null : padded.join('')
}

/** A number printed in as many parts as a whole one has its suffix, however short. */
function lacksSuffix(text: string, key: string, { suffix, groups, key: pattern }: ParcelScheme): boolean {
  if (!suffix || key.length !== suffix.length || !pattern.test(key + suffix.text)) return false
  return groups === undefined || text.split(SEPARATOR).length < groups.length
}

/**
 * The canonical key of a parcel number as written, by a scheme: `SUFFIX_DEFAULTED` when its unit suffix was added,
 * `ZERO_PADDED` when parts were printed short. Null when it is not written as the scheme has it.
 */
export function canonicalParcel(text: string, scheme: ParcelScheme): Reading<string> | null {
  if (text.length < scheme.least) return null
  if (scheme.key.test(text)) return found(text)
  if (!SEPARATORS.test(text)) return null
  const key = SEPARATOR.test(text) ? identifierKey(text) : text.toUpperCase()
  if (scheme.key.test(key)) return found(key)
  if (lacksSuffix(text, key, scheme)) return found(key + (scheme.suffix?.text ?? ''), ['SUFFIX_DEFAULTED'])
  const padded = scheme.padsGroups ? paddedKey(text, scheme) : null
  return padded !== null && scheme.key.test(padded) ? found(padded, ['ZERO_PADDED']) : null
}

/** Repairs need a registry hit; without one the candidate is only shown. */
function repairParcel(text: string, scheme: ParcelScheme, options: ParcelOptions): ParcelReading | null {
  if (options.source !== 'ocr') return null
  const { text: repaired, repairs } = repairDigits(text)
  const candidate = canonicalParcel(repaired, scheme)
  if (repairs === 0 || candidate?.value == null) return null
  if (options.isKnown?.(candidate.value)) return { ...withFlags(candidate, ['OCR_REPAIR']), scheme: scheme.name }
  const flags = isWithinRepairGate(repairs, text) ? ['OCR_SUSPECT'] : ['OCR_SUSPECT', 'OCR_REPAIR_REFUSED']
  return { ...invalid(flags, [candidate.value]), scheme: null }
}
