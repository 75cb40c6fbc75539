import type { ReasonCode } from '../../model/reasons.ts'

/** Why an archive or one of its entries cannot be read: a fact about what was sent. The message names no entry. */
export class ArchiveFault extends Error {
  readonly reason: ReasonCode

  constructor(reason: ReasonCode, message: string) {
    super(message)
    this.name = 'ArchiveFault'
    this.reason = reason
  }
}
