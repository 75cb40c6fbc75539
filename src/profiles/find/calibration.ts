/** Score bounds and the share of values that were right at or above each, best first. */
type CalibrationTable = readonly (readonly [score: number, probability: number])[]

/**
 * Fitted by `bench/calibrate-documents.ts` to 62 development documents and the samples; it counts one right and three
 * wrong answers more than it saw: 211 of 211 right from 0.98 (share 0.986), 105 of 106 from 0.8 (0.964), 6 of 7 below,
 * too few to tell apart, which stand lower than that. Within the second step better scores are given more and worse
 * ones less, about its share. On documents of layouts seen for the first time 0.96 to 1.00 of all values were right:
 * nothing here may say more than that.
 */
const TABLE: CalibrationTable = [
  [0.98, 0.985],
  [0.93, 0.97],
  [0.88, 0.96],
  [0.8, 0.945],
  [0.75, 0.8],
  [0.7, 0.75],
  [0.6, 0.65],
  [0.5, 0.55],
  [0, 0.4]
]

/** Share of fields with nothing found that were rightly left empty: 76 of 84 on the same documents. */
const ABSENT = 0.905
/** Share of fields left empty because their values compete or cannot be read, rightly empty: 8 of 13; a person has to say. */
const UNDECIDED = 0.5

/** The probability that a value found with this score is right; for an empty field, that it is rightly empty. */
export function probabilityOf(score: number | 'absent' | 'undecided'): number {
  if (score === 'absent') return ABSENT
  if (score === 'undecided') return UNDECIDED
  return TABLE.find(([bound]) => score >= bound)?.[1] ?? 0
}
