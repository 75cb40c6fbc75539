import { randomFillSync } from 'node:crypto'
import { v5 } from 'uuid'

/** Makes a new time-ordered id (UUIDv7). Passed in wherever ids are made, so that a test can foresee them. */
export type NewId = () => string

/** Random bytes are drawn for this many ids at a time: a system call for each would cost most of the making. */
const DRAWN = 1024
/** 12 bits of `rand_a` as 3 hex digits and 62 of `rand_b` as 16, of which 2 go to the variant: 10 bytes an id. */
const HEX_DIGITS = 20
const VARIANTS = ['8', '9', 'a', 'b'] as const

const bytes = Buffer.alloc((DRAWN * HEX_DIGITS) / 2)
let digits = ''
let used = 0

/** UUIDv7 (RFC 9562 §5.7) from the system clock in milliseconds and 74 random bits. */
export const newId: NewId = () => {
  if (used === digits.length) {
    randomFillSync(bytes)
    digits = bytes.toString('hex')
    used = 0
  }
  const random = digits.slice(used, used + HEX_DIGITS)
  used += HEX_DIGITS
  const time = Date.now().toString(16).padStart(12, '0')
  const variant = VARIANTS[(random.codePointAt(3) ?? 0) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}

/** Name space of job ids: any fixed UUID, ours alone. */
const JOB_NAMESPACE = '0f2c7b52-6b0e-4b4c-9a43-2d1c6d7f0a11'

/** The id of the job that works a subject's n-th generation: the same for everybody who enqueues it. */
export function jobIdOf(subjectId: string, generation: number): string {
  return v5(`${subjectId}/${generation}`, JOB_NAMESPACE)
}

/** Makes the salt of a record's commitments: 16 random bytes in hex. Passed in, so that a test can foresee them. */
export type NewSalt = () => string

const SALT_BYTES = 16
const SALT_DIGITS = 2 * SALT_BYTES
const saltBytes = Buffer.alloc(DRAWN * SALT_BYTES)
let salts = ''
let salted = 0

/** A salt from the system's random numbers. */
export const newSalt: NewSalt = () => {
  if (salted === salts.length) {
    randomFillSync(saltBytes)
    salts = saltBytes.toString('hex')
    salted = 0
  }
  salted += SALT_DIGITS
  return salts.slice(salted - SALT_DIGITS, salted)
}
