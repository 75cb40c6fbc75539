import { type ExtractFailure, givenUp, type LimitDetail } from './answer.ts'

/** Thrown by a reader that gives a document up at a ceiling it keeps by itself. */
export class ReadLimit extends Error {
  readonly detail: LimitDetail

  constructor(detail: LimitDetail, message: string) {
    super(message)
    this.name = 'ReadLimit'
    this.detail = detail
  }
}

/** What an error thrown while reading says: an allocation that fails shows as a RangeError, anything else is a defect. */
export function failureOfError(error: unknown): ExtractFailure {
  if (error instanceof ReadLimit) return givenUp(error.detail)
  return givenUp(error instanceof RangeError ? 'limit_memory' : 'crashed')
}
