import tap from 'tap'
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal
} from '../../../src/normalize/amounts/decimal.ts'
import { readNumberWords } from '../../../src/normalize/amounts/number-words.ts'
import { compareWordsAndDigits } from '../../../src/normalize/amounts/words-and-digits.ts'
import { decimalEvidence, readMoney } from '../../../src/normalize/money.ts'
import { readDecimal, readInteger } from '../../../src/normalize/number.ts'
import { NEUTRAL, US } from '../summary.ts'
import { Random, testSeed } from './random.ts'

const seed = testSeed()
tap.comment(`seed ${seed}`)

function randomAmount(random: Random): string {
  const whole = random.digits(1 + random.below(24)).replace(/^0+(?=\d)/, '')
  return `${whole}.${random.digits(2)}`
}

function group(whole: string, separator: string): string {
  return whole.replace(/\B(?=(?:\d{3})+$)/g, separator)
}

tap.test('every way to write an amount is read as that amount, whatever its length', async t => {
  const random = new Random(seed)
  for (let run = 0; run < 3000; run += 1) {
    const amount = randomAmount(random)
    const [whole = '', cents = ''] = amount.split('.')
    const american = `${group(whole, ',')}.${cents}`
    for (const raw of [amount, american, `$${american}`, `USD ${american}`, ` ${american} `, `${american} dollars`]) {
      if (readMoney(raw, US).value !== amount) t.fail(`${raw} under US`)
      if (readMoney(raw, NEUTRAL).value !== amount) t.fail(`${raw} with nothing declared`)
    }
    const negative = /[1-9]/.test(amount) ? `-${amount}` : amount
    for (const raw of [`(${american})`, `${american}-`, `-$${american}`, `$ -${american}`, `${american} CR`]) {
      if (readMoney(raw, US).value !== negative) t.fail(`${raw} loses its sign`)
    }
    const european = `${group(whole, '.')},${cents}`
    if (readMoney(european, { ...NEUTRAL, decimal: ',' }).value !== amount) t.fail(`${european} under comma`)
    if (readMoney(european, NEUTRAL).value !== amount) t.fail(`${european} with nothing declared`)
    if (decimalEvidence(american) !== '.' || decimalEvidence(european) !== ',') t.fail(`evidence of ${american}`)
  }
  t.pass(`seed ${seed}`)
})

tap.test('a number that can be read two ways is ambiguous with both, and declared signs decide', async t => {
  const random = new Random(seed)
  for (let run = 0; run < 500; run += 1) {
    const whole = String(1 + random.below(999))
    const rest = random.digits(3)
    for (const sign of ['.', ','] as const) {
      const raw = `${whole}${sign}${rest}`
      const reading = readMoney(raw, NEUTRAL)
      t.same(
        [reading.status, reading.readings],
        ['ambiguous', [`${whole}.${rest}`, `${whole}${rest}.00`].map(trimCents)],
        raw
      )
      const other = sign === '.' ? ',' : '.'
      t.equal(readMoney(raw, { ...NEUTRAL, decimal: other }).value, `${whole}${rest}.00`)
      t.equal(readMoney(raw, { ...NEUTRAL, decimal: sign }).value, trimCents(`${whole}.${rest}`))
    }
  }
})

function trimCents(amount: string): string {
  return amount.replace(/(\.\d\d)0$/, '$1')
}

tap.test('reading a reading changes nothing, and no reading is a float', async t => {
  const random = new Random(seed)
  for (let run = 0; run < 5000; run += 1) {
    const raw = random.text('0123456789..,, $-()KM%eCR', 12)
    for (const context of [US, NEUTRAL]) {
      const { value } = readMoney(raw, context)
      if (value === null) continue
      if (!/^-?\d+\.\d{2,}$/.test(value)) t.fail(`${raw} gives ${value}`)
      if (readMoney(value, US).value !== value) t.fail(`${raw} gives ${value}, then another`)
    }
  }
  t.pass(`seed ${seed}`)
})

tap.test('long numbers keep every digit or are refused', async t => {
  t.equal(readDecimal('123456789012345678.123456789', US).value, '123456789012345678.123456789')
  t.equal(readMoney('9007199254740993.01', US).value, '9007199254740993.01')
  t.equal(readInteger('9007199254740991', US).value, 9007199254740991)
  t.equal(readInteger('9007199254740993', US).value, null)
  t.equal(readMoney('1e400', US).value, null)
  t.equal(readMoney('1.2e6', { ...US, source: 'json' }).value, '1200000.00')
  t.equal(readMoney('1.5e-3', US).value, '0.0015')
})

tap.test('decimal arithmetic is exact', async t => {
  const random = new Random(seed)
  for (let run = 0; run < 1000; run += 1) {
    const [left, right] = [parseDecimal(randomAmount(random)), parseDecimal(randomAmount(random))]
    const sum = addDecimals(left, right)
    t.equal(compareDecimals(addDecimals(sum, { ...right, units: -right.units }), left), 0)
    if (right.units !== 0n) {
      const product = multiplyDecimals(left, right)
      if (compareDecimals(divideDecimals(product, right, 2), left) !== 0) t.fail('product and quotient')
    }
    t.equal(formatDecimal(parseDecimal(formatDecimal(left, 2)), 2), formatDecimal(left, 2))
  }
  t.equal(formatDecimal(roundDecimal(parseDecimal('2.675'), 2)), '2.68')
  t.equal(formatDecimal(roundDecimal(parseDecimal('-2.675'), 2)), '-2.68')
})

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' '
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function inWords(value: number): string {
  if (value < 20) return SMALL[value] ?? ''
  if (value < 100) return (TENS[Math.floor(value / 10) - 2] ?? '') + (value % 10 ? `-${SMALL[value % 10]}` : '')
  if (value < 1000) return `${SMALL[Math.floor(value / 100)]} hundred${value % 100 ? ` ${inWords(value % 100)}` : ''}`
  const [size, word] = value < 1_000_000 ? [1000, 'thousand'] : [1_000_000, 'million']
  return `${inWords(Math.floor(value / size))} ${word}${value % size ? ` ${inWords(value % size)}` : ''}`
}

tap.test('numbers in words are read back', async t => {
  const random = new Random(seed)
  for (let run = 0; run < 3000; run += 1) {
    const value = random.below(10 ** (1 + random.below(9)))
    if (readNumberWords(inWords(value))?.whole !== BigInt(value)) t.fail(inWords(value))
    const other = value + 1 + random.below(5)
    const compared = compareWordsAndDigits(inWords(value), `${other}.00`)
    if (compared.status !== 'ambiguous') t.fail(`${inWords(value)} is taken for ${other}`)
  }
  for (const wrong of [
    'five fifteen',
    'hundred',
    'twenty thirty',
    'thousand five',
    'two million million',
    'fish',
    ''
  ]) {
    t.equal(readNumberWords(wrong), null, wrong)
  }
})
