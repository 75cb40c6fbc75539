import { randomFillSync } from 'node:crypto'
import { v5, v7 } from 'uuid'

/** Makes a new time-ordered id (UUIDv7). Passed in wherever ids are made, so that a test can foresee them. */
export type NewId = () => string

const pool = new Uint8Array(16 * 256)
let offset = pool.length

/** UUIDv7 from the system clock and random bytes drawn 256 ids at a time (a system call per id is 4× slower). */
export const newId: NewId = () => {
  if (offset === pool.length) {
    randomFillSync(pool)
    offset = 0
  }
  const random = pool.subarray(offset, offset + 16)
  offset += 16
  return v7({ random })
}

/** Name space of job ids: any fixed UUID, ours alone. */
const JOB_NAMESPACE = '0f2c7b52-6b0e-4b4c-9a43-2d1c6d7f0a11'

/** The id of the job that works a subject's n-th generation: the same for everybody who enqueues it. */
export function jobIdOf(subjectId: string, generation: number): string {
  return v5(`${subjectId}/${generation}`, JOB_NAMESPACE)
}
