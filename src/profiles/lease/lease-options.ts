import { readRenewal } from '../../normalize/leases/options.ts'
import type { Evidence } from '../find/evidence.ts'
import { originAt } from '../find/layout/prose.ts'
import type { View } from '../find/view.ts'

const COUNT = '(?:an?|one|two|three|four|five|six|\\d{1,2})(?: \\(\\d{1,2}\\))?'
/** `two (2) options to renew for five (5) years each`, `an option to extend the Term for one (1) period of 60 months`. */
const OPTION = new RegExp(
  `\\b${COUNT} (?:additional |successive |consecutive )?(?:renewal |extension )?options? (?:to (?:renew|extend)|of)\\b[^.;]{0,120}`,
  'gi'
)
const MOST = 10
/** Kept as written; not calibrated on a truth of its own. */
const STATED = 0.72

/** Options to renew as the lease words them. Words and digits that differ leave no list. */
export function renewalOptions(view: View): Evidence[] {
  const matches = [...view.prose.text.matchAll(OPTION)].slice(0, MOST)
  const [first] = matches
  const origin = first ? originAt(view.prose, first.index, first.index + first[0].length) : null
  if (!first || !origin) return []
  const texts = [...new Set(matches.map(([text]) => text.trim()))]
  const readings = texts.map(text => readRenewal(text))
  const differs = readings.some(({ count, termMonths }) =>
    [count, termMonths].some(({ flags }) => flags.includes('WORDS_DIGITS_MISMATCH'))
  )
  const base = { field: 'renewal_options', raw: first[0], origin, via: 'options', score: STATED }
  if (differs)
    return [{ ...base, value: null, status: 'ambiguous', flags: ['WORDS_DIGITS_MISMATCH'], readings: [texts] }]
  return [{ ...base, value: texts, status: 'found', flags: [] }]
}
