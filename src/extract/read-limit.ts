import type { LimitDetail } from './answer.ts'

/** Thrown by a reader that gives a document up at a ceiling it keeps by itself. */
export class ReadLimit extends Error {
  readonly detail: LimitDetail

  constructor(detail: LimitDetail, message: string) {
    super(message)
    this.name = 'ReadLimit'
    this.detail = detail
  }
}
