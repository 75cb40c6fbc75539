import { readdirSync } from 'node:fs'
import tap from 'tap'
import { readFormNumber } from '../../../src/normalize/codes/form-number.ts'
import { readParcel } from '../../../src/normalize/codes/parcel.ts'
import { readHeadedPeriod } from '../../../src/normalize/dates/period.ts'
import { readMoneyWithProof } from '../../../src/normalize/money-proof.ts'
import { readZip } from '../../../src/normalize/places/zip.ts'
import { OCR } from '../summary.ts'

/** Ten times the text may take ten times the time; the rest is for noise. A quadratic reader takes a hundred times. */
const LARGEST_RATIO = 40
/** Shorter times are noise and count as this. */
const SHORTEST_MS = 5
const MEGABYTE = 1_000_000
const FOLDER = new URL('../../../src/normalize/', import.meta.url)

const PIECES = [
  ' ',
  '0',
  '1,',
  '1.',
  '1 ',
  "1'",
  '-',
  '- ',
  '/',
  '_',
  'X',
  'XX ',
  'O',
  'Il|',
  '$',
  '(',
  ')',
  'a',
  'a ',
  'a-',
  'one ',
  'hundred ',
  'and ',
  'twenty-',
  'January ',
  '1 and ',
  '1 to ',
  '1 months ',
  '(1) ',
  ', ',
  '& ',
  '1/1/',
  ':',
  '12:',
  'e+',
  '%',
  '\u00a0',
  '\u200b',
  '\u2009\t\n',
  'é',
  'ﬃ',
  '😀',
  '\ud800',
  'dba ',
  '#'
] as const

type Reader = (raw: string, context: typeof OCR) => unknown

/** Every exported function of the folder whose first parameter is a text from outside. */
async function readers(): Promise<[string, Reader][]> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'))
  const all: [string, Reader][] = []
  for (const file of files) {
    const module: Record<string, unknown> = await import(new URL(file, FOLDER).href)
    for (const [name, value] of Object.entries(module)) {
      const isReader =
        /^(?:read|fold|natural|is|address|identifier|date|decimal|map|numeral|peel|repair|split|state)/.test(name)
      if (isReader && typeof value === 'function' && !NOT_READERS.has(name)) {
        all.push([name, CALLED_OTHERWISE[name] ?? (value as Reader)])
      }
    }
  }
  return all
}

/** Functions inside readers: they take other things than raw text, or text a reader has already bounded. */
const NOT_READERS = new Set([
  'isRealDate',
  'isWithinRepairGate',
  'isPlausibleTail',
  'isBlackedOut',
  'readCandidate',
  'readCandidates',
  'readNumeral',
  'readNumericDate',
  'readWrittenDate',
  'readAbsence',
  'decimalSignOf',
  'numeralEvidence',
  'numericDateEvidence',
  'peelAmount',
  'repairDigits',
  'repairMoney',
  'splitTime',
  'stateCodeOf'
])
/** Readers whose second argument is not a context. */
const CALLED_OTHERWISE: Readonly<Record<string, Reader>> = {
  readHeadedPeriod: raw => readHeadedPeriod(raw, raw, OCR),
  readMoneyWithProof: raw => readMoneyWithProof(raw, OCR, () => false),
  readParcel: raw => readParcel(raw, '17031', { source: 'ocr' }),
  readZip: raw => readZip(raw, 'MA'),
  readFormNumber: raw => readFormNumber(raw, true)
}

/** Processor time, which other work on the machine does not lengthen. */
function timeOf(read: () => unknown): number {
  const start = process.cpuUsage()
  read()
  return process.cpuUsage(start).user / 1000
}

/** How much longer the longer text takes; measured again when it seems too long. */
function growth(read: (text: string) => unknown, short: string, long: string, runs = 3): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs && least > LARGEST_RATIO; run += 1) {
    const shortMs = Math.max(
      timeOf(() => read(short)),
      SHORTEST_MS
    )
    least = Math.min(least, timeOf(() => read(long)) / shortMs)
  }
  return least
}

tap.test('no reader takes more than linear time', async t => {
  const all = await readers()
  t.ok(all.length > 40, `${all.length} readers`)
  for (const piece of PIECES) {
    const long = `${piece.repeat(MEGABYTE / piece.length)}!`
    const short = `${piece.repeat(MEGABYTE / piece.length / 10)}!`
    for (const [name, read] of all) {
      const ratio = growth(text => read(text, OCR), short, long)
      if (ratio > LARGEST_RATIO) t.fail(`${name} of ${JSON.stringify(piece)}: ratio ${ratio.toFixed(1)}`)
    }
  }
})

tap.test('the measure can fail', async t => {
  const quadratic = (text: string) => {
    let sum = 0
    for (let end = 0; end < text.length; end += 1) {
      for (let at = 0; at < end; at += 1) sum = (sum + text.charCodeAt(at)) | 0
    }
    return sum
  }
  for (let warm = 0; warm < 5; warm += 1) quadratic('a'.repeat(3000))
  const ratio = growth(quadratic, 'a'.repeat(3000), 'a'.repeat(30_000), 1)
  t.ok(ratio > LARGEST_RATIO, `ratio ${ratio.toFixed(1)}`)
})
