import { AppError } from '../../errors.ts'

/**
 * Columns of a statement as binary array parameters: the server reads each element straight into its type, where a text
 * or JSON parameter is parsed, taken apart and converted once more. Format: `array_send` of Postgres — dimensions, a flag
 * for nulls, the element type's OID, length and lower bound, then each element as its length (-1 for null) and bytes.
 */
const OID = { bytea: 17, int4: 23, text: 25, uuid: 2950, jsonb: 3802 } as const
const HEADER_BYTES = 20
const NULL_LENGTH = -1
/** The format version that stands before the text of a binary `jsonb`. */
const JSONB_VERSION = 1
/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3

function allocate(oid: number, count: number, bytes: number): Buffer {
  const array = Buffer.allocUnsafe(HEADER_BYTES + bytes)
  array.writeInt32BE(1, 0)
  array.writeInt32BE(1, 4)
  array.writeInt32BE(oid, 8)
  array.writeInt32BE(count, 12)
  array.writeInt32BE(1, 16)
  return array
}

/** The length of an element as it stands before it, in hex: elements of one length are then one text to decode. */
const lengthInHex = (bytes: number): string => bytes.toString(16).padStart(8, '0')
const UUID_LENGTH = lengthInHex(16)
const DIGEST_LENGTH = lengthInHex(32)
const SALT_LENGTH = lengthInHex(16)

/** Elements of `bytes` bytes each. Anything but hex of that length would shift all that follows, and is refused. */
function hexArray(oid: number, count: number, bytes: number, elements: string): Buffer {
  const size = count * (4 + bytes)
  const array = allocate(oid, count, size)
  if (elements.length !== 2 * size || array.write(elements, HEADER_BYTES, 'hex') !== size) {
    throw new AppError('INTERNAL', 'An id or a digest is not hex of its length.')
  }
  return array
}

/** Elements with the length of each before it. */
const joined = (length: string, values: readonly string[]): string =>
  values.length === 0 ? '' : length + values.join(length)

/** Ids as `uuid[]`. */
export const uuidArray = (ids: readonly string[]): Buffer =>
  hexArray(OID.uuid, ids.length, 16, joined(UUID_LENGTH, ids).replaceAll('-', ''))

/** SHA-256 digests given in hex, as `bytea[]`. */
export const digestArray = (digests: readonly string[]): Buffer =>
  hexArray(OID.bytea, digests.length, 32, joined(DIGEST_LENGTH, digests))

/** Salts of 16 bytes given in hex, as `bytea[]`. */
export const saltArray = (salts: readonly string[]): Buffer =>
  hexArray(OID.bytea, salts.length, 16, joined(SALT_LENGTH, salts))

/** 32-bit integers as `int[]`. */
export function intArray(values: readonly (number | null)[]): Buffer {
  const array = allocate(OID.int4, values.length, values.length * 8)
  let at = HEADER_BYTES
  for (const value of values) {
    at = array.writeInt32BE(value === null ? NULL_LENGTH : 4, at)
    if (value !== null) at = array.writeInt32BE(value, at)
  }
  return array.subarray(0, at)
}

function stringArray(oid: number, values: readonly (string | null)[], prefix: number | undefined): Buffer {
  const before = prefix === undefined ? 0 : 1
  const units = values.reduce((sum, value) => sum + (value?.length ?? 0), 0)
  const array = allocate(oid, values.length, values.length * (4 + before) + units * MAX_BYTES_PER_UNIT)
  let at = HEADER_BYTES
  for (const value of values) {
    if (value === null) {
      at = array.writeInt32BE(NULL_LENGTH, at)
      continue
    }
    if (prefix !== undefined) array[at + 4] = prefix
    const bytes = before + array.write(value, at + 4 + before)
    array.writeInt32BE(bytes, at)
    at += 4 + bytes
  }
  return array.subarray(0, at)
}

/** Texts as `text[]`. A lone surrogate would come out as U+FFFD: callers check `isWellFormed` where that can be. */
export const textArray = (values: readonly string[]): Buffer => stringArray(OID.text, values, undefined)

/** JSON texts as `jsonb[]`. */
export const jsonbArray = (texts: readonly (string | null)[]): Buffer => stringArray(OID.jsonb, texts, JSONB_VERSION)
