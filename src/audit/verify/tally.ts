import type { Finding } from '../../db/verify/snapshot.ts'
import { CHECK_NAMES, CHECKS, type CheckName } from './checks.ts'
import type { Offender } from './report.ts'

/** Keeps the first offender of each check and counts the others. */
export interface Tally {
  add(check: CheckName, jurisdiction: string, finding: Finding): void
  offenders(): Offender[]
}

/** An empty tally. */
export function createTally(): Tally {
  const first = new Map<CheckName, Offender>()
  const counts = new Map<CheckName, number>()
  return {
    add(check, jurisdiction, { subject, message }) {
      const count = (counts.get(check) ?? 0) + 1
      counts.set(check, count)
      const { invariant } = CHECKS[check]
      if (count === 1) first.set(check, { check, invariant, jurisdiction, subject, message, count })
    },
    offenders: () =>
      CHECK_NAMES.flatMap(check => {
        const offender = first.get(check)
        return offender ? [{ ...offender, count: counts.get(check) ?? 1 }] : []
      })
  }
}
