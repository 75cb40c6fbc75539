import { isInfrastructureFault } from '../../db/sqlstate.ts'
import { AppError } from '../../errors.ts'

/**
 * Whether work is to be left for later: our own infrastructure failed, or this worker lacks the profile, which another
 * one may have. Neither counts against the work.
 */
export const isPostponable = (error: unknown): boolean =>
  isInfrastructureFault(error) || (error instanceof AppError && error.code === 'PROFILE_UNKNOWN')

/** A short fault is over within a minute of quick tries; a long one is asked about once a minute. */
const QUICK_TRIES = 12
const QUICK_SECONDS = 5
const SLOW_SECONDS = 60

/** Seconds before the next generation of a job is due. */
export const postponeSeconds = (generation: number): number =>
  generation <= QUICK_TRIES ? QUICK_SECONDS : SLOW_SECONDS

/** A day of tries. Work that still cannot be done then is held, for a person to see and to run again. */
export const MAX_GENERATIONS = 1500
