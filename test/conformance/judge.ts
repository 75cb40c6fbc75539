/** What a case expects. The names are those of the case files. */
export interface Expectation {
  readonly http: readonly number[]
  readonly counts?: Readonly<Record<string, number>>
  /** Holds for every record, of which there must be one. */
  readonly every?: Wanted
  /** Holds for at least one record. */
  readonly some?: Wanted
  readonly records?: readonly WantedRecord[]
}

interface Wanted {
  readonly state_any: readonly string[]
  readonly reason_any?: readonly string[]
}

interface WantedRecord extends Wanted {
  readonly row?: number
  readonly line?: number
  readonly file?: string
  /** Values of an accepted record; what is held may still be wrong. */
  readonly fields?: Readonly<Record<string, unknown>>
  readonly must_not_fields?: Readonly<Record<string, readonly unknown[]>>
}

export interface BatchBody {
  readonly id: string
  readonly state: string
  readonly counts: Readonly<Record<string, number>>
}

export interface RecordBody {
  readonly id: string
  readonly row: number | null
  readonly line: number | null
  readonly filename: string
  readonly state: string
  readonly revision: number
  readonly duplicate_of: string | null
  readonly fields: Readonly<Record<string, { readonly value: unknown } | undefined>>
  readonly reasons: readonly { readonly code: string; readonly message: string }[]
}

export interface Outcome {
  readonly http: number
  readonly contentType: string
  readonly batch?: BatchBody
  readonly records?: readonly RecordBody[]
}

const EDGE = new Set(' .,;:"\'')

/** A value as text; lists and objects as JSON. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Case and white space aside, and signs around a value. */
function squash(value: string): string {
  const text = value.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ')
  let [start, end] = [0, text.length]
  while (start < end && EDGE.has(text[start] ?? '')) start += 1
  while (end > start && EDGE.has(text[end - 1] ?? '')) end -= 1
  return text.slice(start, end)
}

const lettersAndDigits = (value: string): string => squash(value).replaceAll(/[^\p{L}\p{N}]/gu, '')

const DECIMAL = /^-?\d+(?:\.\d+)?$/
const LEADING_ZERO = /^-?0\d/

/** A decimal without what does not change its value, as text: numbers of any size compare exactly. */
function plainDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const digits = fraction.replace(/0+$/, '')
  const size = digits === '' ? whole : `${whole}.${digits}`
  return text.startsWith('-') && /[1-9]/.test(size) ? `-${size}` : size
}

/** Whether a value is the expected one: numbers by value, an identifier with leading zeros as text, other text squashed. */
export function isSame(expected: unknown, actual: unknown): boolean {
  if (actual === null || actual === undefined || actual === '') return expected === null
  if (expected === null) return false
  const [wanted, found] = [textOf(expected), textOf(actual)]
  if (wanted === found) return true
  if (DECIMAL.test(wanted) && DECIMAL.test(found)) {
    const isIdentifier = LEADING_ZERO.test(wanted) || LEADING_ZERO.test(found)
    return !isIdentifier && plainDecimal(wanted) === plainDecimal(found)
  }
  return (
    squash(wanted) === squash(found) ||
    (lettersAndDigits(wanted) !== '' && lettersAndDigits(wanted) === lettersAndDigits(found))
  )
}

const codesOf = (record: RecordBody): string[] => record.reasons.map(reason => reason.code)

function stands(record: RecordBody, wanted: Wanted): boolean {
  const codes = codesOf(record)
  return (
    wanted.state_any.includes(record.state) &&
    (wanted.reason_any === undefined || codes.some(code => wanted.reason_any?.includes(code) === true))
  )
}

const describe = (record: RecordBody): string => `${record.state} (${codesOf(record).join(', ')})`

function valueFaults(record: RecordBody, wanted: WantedRecord): string[] {
  if (record.state !== 'accepted') return []
  const value = (name: string): unknown => record.fields[name]?.value
  const wrong = Object.entries(wanted.fields ?? {})
    .filter(([name, expected]) => !isSame(expected, value(name)))
    .map(([name, expected]) => `${name} is ${JSON.stringify(value(name))}, expected ${JSON.stringify(expected)}`)
  const never = Object.entries(wanted.must_not_fields ?? {})
    .filter(([name, values]) => values.some(one => isSame(one, value(name))))
    .map(([name]) => `${name} is ${JSON.stringify(value(name))}, which must never be accepted`)
  return [...wrong, ...never]
}

function recordFaults(records: readonly RecordBody[], wanted: WantedRecord): string[] {
  const name = `line ${wanted.line ?? '-'} row ${wanted.row ?? '-'} file ${wanted.file ?? '-'}`
  const record = records.find(
    one =>
      (wanted.row === undefined || one.row === wanted.row) &&
      (wanted.line === undefined || one.line === wanted.line) &&
      (wanted.file === undefined || one.filename === wanted.file)
  )
  if (record === undefined) return [`${name}: no such record`]
  const state = stands(record, wanted) ? [] : [`is ${describe(record)}`]
  return [...state, ...valueFaults(record, wanted)].map(fault => `${name}: ${fault}`)
}

function countFaults(batch: BatchBody, expected: Readonly<Record<string, number>>): string[] {
  const { total, pending, accepted, duplicate, quarantined, rejected, cancelled } = batch.counts
  const sum = [pending, accepted, duplicate, quarantined, rejected, cancelled].reduce<number>(
    (a, b) => a + (b ?? NaN),
    0
  )
  const faults = total === sum ? [] : [`the counts do not add up: ${JSON.stringify(batch.counts)}`]
  const wrong = Object.entries(expected).filter(([name, count]) => batch.counts[name] !== count)
  return [...faults, ...wrong.map(([name, count]) => `${name} is ${batch.counts[name]}, expected ${count}`)]
}

function contentFaults(expected: Expectation, batch: BatchBody, records: readonly RecordBody[]): string[] {
  const { every, some, records: wanted = [] } = expected
  const faults = countFaults(batch, expected.counts ?? {})
  if (records.length === 0) faults.push('the batch has no record')
  for (const record of records) {
    if (every && !stands(record, every)) faults.push(`a record is ${describe(record)}`)
    if (record.state !== 'accepted' && record.reasons.length === 0)
      faults.push(`a ${record.state} record gives no reason`)
  }
  if (some && !records.some(record => stands(record, some)))
    faults.push(`no record is as expected: ${records.map(describe).join(', ')}`)
  return [...faults, ...wanted.flatMap(one => recordFaults(records, one))]
}

/** What is wrong with an outcome, as sentences; none when it is as expected. */
export function judge(expected: Expectation, outcome: Outcome): string[] {
  const { http, contentType, batch, records = [] } = outcome
  if (!expected.http.includes(http)) return [`HTTP ${http}, expected ${expected.http.join(' or ')}`]
  if (http >= 400) {
    return contentType.startsWith('application/problem+json') ? [] : [`an error as ${contentType}`]
  }
  if (batch === undefined) return ['a batch without an end']
  return contentFaults(expected, batch, records)
}
