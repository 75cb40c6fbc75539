import { RegistryFault } from '../../registry.ts'

/** What is known of a layer since the start, to judge faults that may be of the moment or for good. */
export interface Tolerance {
  worked(): void
  judge(fault: RegistryFault): RegistryFault
}

const MISSING = new Set(['http_404', 'arcgis_404'])
/** Failures in a row after which a layer that never answered is taken to be configured wrongly. */
const MOST_FAILURES = 3

/**
 * Servers under load say that a layer is not there, or that a query failed. A layer that has answered and is missing once is
 * asked again; one that fails is asked again, but one that never answered is not for ever.
 */
export function createTolerance(): Tolerance {
  let answered = false
  let missing = 0
  let failed = 0
  return {
    worked() {
      answered = true
      missing = 0
      failed = 0
    },
    judge(fault) {
      if (MISSING.has(fault.code)) {
        missing += 1
        return answered && missing === 1 ? new RegistryFault('transient', fault.code) : fault
      }
      if (fault.code !== 'query_failed') return fault
      failed += 1
      return answered || failed < MOST_FAILURES ? fault : new RegistryFault('configuration', fault.code)
    }
  }
}
