import tap from 'tap'
import { rentFlags, sumMatches } from '../../src/normalize/amounts/sums.ts'
import { compareWordsAndDigits } from '../../src/normalize/amounts/words-and-digits.ts'
import { monthlyRent } from '../../src/normalize/leases/rent.ts'
import { decimalEvidence, readAmount, readMoney } from '../../src/normalize/money.ts'
import { readDecimal, readInteger } from '../../src/normalize/number.ts'
import { NEUTRAL, OCR, summary, US } from './summary.ts'

const EU = { ...NEUTRAL, decimal: ',' } as const

tap.test('signs are never lost', async t => {
  const rows: [string, string][] = [
    ['(1,250.00)', '-1250.00'],
    ['$ -26.40', '-26.40'],
    ['-$26.40', '-26.40'],
    ['$(26.40)', '-26.40'],
    ['1,250.00-', '-1250.00'],
    ['−26.40', '-26.40'],
    ['26.40 DR', '26.40'],
    ['(-5.00)', 'null AMBIGUOUS_NUMBER {-5.00|5.00}'],
    ['(1,250.00', 'null INVALID_NUMBER'],
    ['-0.00', '0.00']
  ]
  for (const [raw, is] of rows) t.equal(summary(readMoney(raw, US)), is, raw)
})

tap.test('separators decide only when they can', async t => {
  const rows: [string, string, string, string][] = [
    [',74', '0.74 EU_DECIMAL', 'null INVALID_NUMBER', '0.74 EU_DECIMAL'],
    ['.74', '0.74', '0.74', 'null INVALID_NUMBER'],
    ['12,34', '12.34 EU_DECIMAL', 'null INVALID_NUMBER', '12.34 EU_DECIMAL'],
    ['1,234', 'null AMBIGUOUS_NUMBER {1.234|1234.00}', '1234.00', '1.234 EU_DECIMAL SUBCENT_DIGITS'],
    ['1.234', 'null AMBIGUOUS_NUMBER {1.234|1234.00}', '1.234 SUBCENT_DIGITS', '1234.00 GROUP_DOT'],
    ['0.234', '0.234 SUBCENT_DIGITS', '0.234 SUBCENT_DIGITS', 'null INVALID_NUMBER'],
    ['1,234,567', '1234567.00', '1234567.00', 'null INVALID_NUMBER'],
    ['1.234.567', '1234567.00 GROUP_DOT', '1234567.00 GROUP_DOT', '1234567.00 GROUP_DOT'],
    ['1,23,456', 'null INVALID_NUMBER', 'null INVALID_NUMBER', 'null INVALID_NUMBER'],
    ['1234567,5', '1234567.50 EU_DECIMAL', 'null INVALID_NUMBER', '1234567.50 EU_DECIMAL'],
    ['1 234,50', '1234.50 EU_DECIMAL', 'null INVALID_NUMBER', '1234.50 EU_DECIMAL'],
    ['5 100.00', 'null INVALID_NUMBER', 'null INVALID_NUMBER', 'null INVALID_NUMBER'],
    ['100 200', 'null INVALID_NUMBER', 'null INVALID_NUMBER', '100200.00'],
    ['007', '7.00', '7.00', '7.00']
  ]
  for (const [raw, neutral, us, eu] of rows) {
    t.equal(summary(readMoney(raw, NEUTRAL)), neutral, `${raw} undeclared`)
    t.equal(summary(readMoney(raw, US)), us, `${raw} with a point`)
    t.equal(summary(readMoney(raw, EU)), eu, `${raw} with a comma`)
  }
})

tap.test('what is no amount is invalid', async t => {
  const wrong = [
    'X100',
    '5.4.3',
    '94109-1234',
    '07/01/2024',
    '1e400',
    'NaN',
    'Infinity',
    '0x1F',
    '1__000',
    '5%',
    'a',
    '$',
    '1\u200b000'
  ]
  for (const raw of wrong) {
    const { value, status } = readMoney(raw, US)
    t.same([value, status === 'found'], [null, false], raw)
  }
})

tap.test('currencies', async t => {
  t.equal(summary(readMoney('€1.250,00', US)), 'null UNEXPECTED_CURRENCY EU_DECIMAL {1250.00}')
  t.equal(summary(readMoney('€1,250.00', US)), 'null UNEXPECTED_CURRENCY {1250.00}')
  t.equal(summary(readMoney('C$5.00', US)), 'null UNEXPECTED_CURRENCY {5.00}')
  t.equal(summary(readMoney('$5.00', { ...US, currency: 'CAD' })), '5.00')
  t.equal(readAmount('A$5.00', US).currency, 'AUD')
  t.equal(readAmount('5.00 EUR', US).currency, 'EUR')
  t.equal(readAmount('5.00', US).currency, null)
  t.equal(summary(readMoney('USD 1,250.00', US)), '1250.00')
  t.equal(summary(readMoney('$5 CAD', US)), 'null INVALID_NUMBER')
})

tap.test('words and digits must agree, whichever comes first', async t => {
  t.equal(summary(readMoney('$25,000.00 (Twenty-Five Thousand Dollars)', US)), '25000.00')
  t.equal(
    summary(readMoney('$2,500.00 (Twenty-Five Thousand Dollars)', US)),
    'null WORDS_DIGITS_MISMATCH {25000.00|2500.00}'
  )
  t.equal(summary(readMoney('Twenty-Five Thousand Dollars and Fifty Cents ($25,000.50)', US)), '25000.50')
})

tap.test('scales, ranges and several amounts', async t => {
  t.equal(summary(readMoney('1.2M', US)), '1200000.00 SCALED_SUFFIX')
  t.equal(summary(readMoney('1.2e6', US)), '1200000.00 SCIENTIFIC_NOTATION')
  t.equal(summary(readMoney('$12,333 M', US)), '12333000000.00 SCALED_SUFFIX GROUPED_AND_SCALED')
  t.equal(summary(readMoney('1.5M - 2M', US)), 'null RANGE_NOT_SCALAR SCALED_SUFFIX {1500000.00|2000000.00}')
  t.equal(
    summary(readAmount('2.999,00 EUR (-10,00%) 2.699,00 EUR', NEUTRAL)),
    'null MULTIPLE_CANDIDATES {2999.00|2699.00}'
  )
})

tap.test('every proof of a decimal sign holds', async t => {
  const rows: [string, string | null][] = [
    ['1,234,567', '.'],
    ['1.234.567', ','],
    ['1,234.5', '.'],
    ['$5.00', '.'],
    ['12,34', ','],
    ['0,234', ','],
    ['1.234', null],
    ['1,234', null],
    ['5', null],
    ['1.2.3', null]
  ]
  for (const [raw, is] of rows) t.equal(decimalEvidence(raw), is, raw)
})

tap.test('numbers without money', async t => {
  t.equal(summary(readDecimal('-122.425', US)), '-122.425')
  t.equal(summary(readDecimal('1.234', NEUTRAL)), 'null AMBIGUOUS_NUMBER {1.234|1234}')
  t.equal(summary(readDecimal('1.234', { ...NEUTRAL, source: 'json' })), '1.234')
  t.equal(summary(readDecimal('2.50', US)), '2.5')
  t.equal(summary(readDecimal('$5', US)), 'null INVALID_NUMBER')
  t.equal(summary(readInteger('2,140', NEUTRAL)), '2140')
  t.equal(summary(readInteger('2,000', NEUTRAL)), 'null AMBIGUOUS_NUMBER {2|2000}')
  t.equal(summary(readInteger('1.234', NEUTRAL)), 'null AMBIGUOUS_NUMBER {1234}')
  t.equal(summary(readInteger('a', US)), 'null INVALID_NUMBER')
  t.equal(summary(readInteger('1O', OCR)), 'null INVALID_NUMBER')
  t.equal(summary(readInteger('12O4', OCR)), '1204 OCR_REPAIR')
})

tap.test('checks over several values can fail', async t => {
  t.equal(sumMatches(['10.00', '20.01'], '30.03'), true)
  t.equal(sumMatches(['10.00', '20.01'], '30.04'), false)
  t.same(rentFlags('1000.00', '12000.00'), [])
  t.same(rentFlags('1000.00', '12000.12'), ['ROUNDING_TOLERATED'])
  t.same(rentFlags('1000.00', '12000.13'), ['RENT_ARITHMETIC_MISMATCH'])
  t.equal(compareWordsAndDigits('fifteen thousand', '15000.00').status, 'found')
  t.equal(compareWordsAndDigits('fifteen thousand', '1500.00').status, 'ambiguous')
  t.equal(summary(monthlyRent('52.00', 'week')), 'null RATE_PERIOD_UNKNOWN')
  t.equal(summary(monthlyRent('26.00', 'psf_year')), 'null AREA_UNKNOWN')
})

tap.test('in a cell nothing but one number stands, so that spaces between groups of three digits group', async t => {
  const cell = { ...NEUTRAL, source: 'cell' } as const
  const rows: [string, string, string][] = [
    ['12 500', '12500.00 INNER_SPACE', 'null INVALID_NUMBER'],
    ['12 500.00', '12500.00 INNER_SPACE', 'null INVALID_NUMBER'],
    ['12\u202f500.00', '12500.00 INNER_SPACE', 'null INVALID_NUMBER'],
    ['1 250 000', '1250000.00 INNER_SPACE', 'null INVALID_NUMBER'],
    ['(12 500)', '-12500.00 INNER_SPACE', 'null INVALID_NUMBER'],
    ['12 500,00', '12500.00 EU_DECIMAL', '12500.00 EU_DECIMAL'],
    ['12 50', 'null INVALID_NUMBER', 'null INVALID_NUMBER'],
    ['012 500', 'null INVALID_NUMBER', 'null INVALID_NUMBER'],
    ['1250 300', 'null INVALID_NUMBER', 'null INVALID_NUMBER'],
    ['12 500 00', 'null INVALID_NUMBER', 'null INVALID_NUMBER'],
    ['1,250 300', 'null INVALID_NUMBER', 'null INVALID_NUMBER']
  ]
  for (const [raw, inCell, inText] of rows) {
    t.equal(summary(readMoney(raw, cell)), inCell, raw)
    t.equal(summary(readMoney(raw, NEUTRAL)), inText, raw)
  }
  t.equal(summary(readMoney('$1 250 000', cell)), '1250000.00 INNER_SPACE')
  t.match(summary(readMoney('12 500.00', { ...cell, decimal: ',' })), 'null', 'a column with another sign')
})

tap.test('signs of other currencies are told as such', async t => {
  for (const raw of [
    '₽1,250.00',
    '1250 ₱',
    '1250円',
    '1 250,00 zł',
    '1250 Kč',
    '₫1250',
    'PHP 1250',
    'HUF 1250',
    '1250 AED'
  ])
    t.match(summary(readMoney(raw, { ...NEUTRAL, source: 'cell' })), 'UNEXPECTED_CURRENCY', raw)
})
