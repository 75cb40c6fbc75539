/** Score bounds and the share of values that were right at or above each, best first. */
export type CalibrationTable = readonly (readonly [score: number, probability: number])[]

/**
 * Measured on a development set of declarations, applications, certificates and leases, each document
 * scored by a table fitted without it, then rounded down. The steps must fall with the score.
 */
const DEFAULT: CalibrationTable = [
  [0.98, 0.98],
  [0.93, 0.965],
  [0.9, 0.93],
  [0.85, 0.86],
  [0.75, 0.82],
  [0.7, 0.78],
  [0.6, 0.7],
  [0.5, 0.55],
  [0, 0.3]
]

const BY_FIELD: Readonly<Record<string, CalibrationTable>> = {}

/** Share of fields left empty that were rightly left empty. */
const ABSENT = 0.9

/** The probability that a value found with this score is right; for `absent`, that rightly nothing was found. */
export function probabilityOf(field: string, score: number | 'absent'): number {
  if (score === 'absent') return ABSENT
  const table = BY_FIELD[field] ?? DEFAULT
  return table.find(([bound]) => score >= bound)?.[1] ?? 0
}
