import { AppError } from '../errors.ts'

const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

/** The error of reading what was stored: `PAYLOAD_MISSING` when it is gone, else as `storeError`. */
export function readError(error: unknown): AppError {
  if (systemCode(error) !== 'ENOENT') return storeError(error)
  return new AppError('PAYLOAD_MISSING', 'A stored file is not where it was put.', { cause: error })
}

/** The error of a store that cannot do its work: the message names the system's code, never a path. */
export function storeError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = systemCode(error)
  return new AppError('STORE_UNAVAILABLE', `The payload store refused an operation (${code}).`, { cause: error })
}
