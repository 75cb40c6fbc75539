import { repairDigits } from '../ocr.ts'
import { foldShort } from '../text.ts'

/** An insurance form: its number as the bureau spaces it, and its edition. */
export interface FormNumber {
  readonly number: string
  /** `YYYY-MM`, or null when missing or impossible. */
  readonly edition: string | null
  readonly bureau: 'iso' | 'wc' | null
  /** Two-letter state of a workers compensation form, null for countrywide and others. */
  readonly state: string | null
  readonly revision: string | null
  readonly flags: readonly string[]
}

const GRAMMAR = /^([A-Z]{2})[ -]?([\dOIl]{2})[ -]?([\dOIl]{2})(?:[ -]?\(?([\dOIl]{2})[ /-]?([\dOIl]{2})\)?)?$/
const WORKERS_COMP = /^WC[ -]?(\d{2})[ -]?(\d{2})[ -]?(\d{2})(?:[ -]?([A-Z]))?(?: \(?\d{2}[ /-]?\d{2}\)?)?$/
const ISO_LINES = new Set([
  'CG',
  'CP',
  'CA',
  'CU',
  'CR',
  'BP',
  'HO',
  'DP',
  'DL',
  'IL',
  'IH',
  'CM',
  'PP',
  'FP',
  'EB',
  'MP'
])
/** ISO categories end here; carriers use higher ones for their own forms in the same style. */
const LAST_ISO_CATEGORY = 49
/** Two-digit years from here on are 19yy: the oldest editions in use. */
const EDITION_PIVOT = 70
/** State numbers of NCCI and independent bureaus that appear in form numbers. */
const WC_STATES: ReadonlyMap<string, string> = new Map([
  ['04', 'CA'],
  ['09', 'FL'],
  ['12', 'IL'],
  ['31', 'NY'],
  ['42', 'TX']
])

/**
 * Reads `CG 00 01 04 13`, `CG2010 (04/13)`, `HO-04-90`, `WC 42 03 01 H`. A missing edition is
 * `EDITION_MISSING`, an impossible month `FORM_EDITION_INVALID`. With `isOcr` look-alikes in digit places are
 * repaired (`OCR_REPAIR`): the grammar allows digits only there. Null when it is no form number.
 */
export function readFormNumber(raw: string, isOcr = false): FormNumber | null {
  const text = foldShort(raw, 60).toUpperCase()
  const workersComp = WORKERS_COMP.exec(text)
  if (workersComp) return readWorkersComp(workersComp)
  const parts = GRAMMAR.exec(text)
  if (!parts) return null
  const written = [parts[2], parts[3], parts[4], parts[5]].map(part => part ?? '')
  const repaired = written.map(part => repairDigits(part))
  const repairs = repaired.reduce((sum, part) => sum + part.repairs, 0)
  if (repairs > 0 && !isOcr) return null
  const [category = '', form = '', month = '', year = ''] = repaired.map(part => part.text)
  const line = parts[1] ?? ''
  const isIso = ISO_LINES.has(line) && Number(category) <= LAST_ISO_CATEGORY
  const edition = readEdition(month, year)
  const flags = repairs > 0 ? [...edition.flags, 'OCR_REPAIR'] : edition.flags
  const number = `${line} ${category} ${form}`
  return { number, edition: edition.value, bureau: isIso ? 'iso' : null, state: null, revision: null, flags }
}

function readEdition(month: string, year: string): { value: string | null; flags: readonly string[] } {
  if (month === '') return { value: null, flags: ['EDITION_MISSING'] }
  if (Number(month) < 1 || Number(month) > 12) return { value: null, flags: ['FORM_EDITION_INVALID'] }
  const century = Number(year) >= EDITION_PIVOT ? '19' : '20'
  return { value: `${century}${year}-${month}`, flags: [] }
}

function readWorkersComp(parts: RegExpExecArray): FormNumber {
  const [state = '', group = '', form = ''] = parts.slice(1, 4)
  const revision = parts[4] ?? null
  const number = `WC ${state} ${group} ${form}`
  return { number, edition: null, bureau: 'wc', state: WC_STATES.get(state) ?? null, revision, flags: [] }
}
