import { readArea } from '../../src/normalize/amounts/area.ts'
import { readPercent } from '../../src/normalize/amounts/percent.ts'
import { rentFlags, shareMatches } from '../../src/normalize/amounts/sums.ts'
import { readDate } from '../../src/normalize/date.ts'
import { readPeriod } from '../../src/normalize/dates/period.ts'
import { leaseEnd, leaseTermFlags, readTerm } from '../../src/normalize/dates/term.ts'
import { readEscalation } from '../../src/normalize/leases/escalation.ts'
import { readAbatement, readCam, readDeposit } from '../../src/normalize/leases/lease-amounts.ts'
import { readNotice, readRenewal } from '../../src/normalize/leases/options.ts'
import { readRent, yearlyRent } from '../../src/normalize/leases/rent.ts'
import { readAmount } from '../../src/normalize/money.ts'
import { provenByWords, readMoneyWithProof } from '../../src/normalize/money-proof.ts'
import { readParty } from '../../src/normalize/parties/organization.ts'
import { NEUTRAL, OCR, type PairRow, summary, US } from './summary.ts'

const date = (raw: string) => summary(readDate(raw, US))
const amount = (raw: string) => {
  const reading = readAmount(raw, NEUTRAL)
  return [summary(reading), reading.currency].filter(Boolean).join(' ')
}
const scanned = (raw: string) => summary(readAmount(raw, OCR))
const term = (raw: string) => {
  const reading = readTerm(raw)
  return [summary(reading), reading.isEndOfMonth && 'end_of_month', reading.tenancy].filter(Boolean).join(' ')
}
const rent = (sqft?: number) => (raw: string) => {
  const reading = readRent(raw, US, sqft)
  return [summary(reading.amount), reading.period, '=>', summary(reading.monthly), ...reading.flags].join(' ')
}
const range = (raw: string) => {
  const { start, end } = readPeriod(raw, US)
  return `${summary(start)} → ${summary(end)}`
}
const escalation = (raw: string) => {
  const { type, rate, amount: fixed, floor, cap, flags } = readEscalation(raw, US)
  return [type, rate, fixed, floor && `floor ${floor}`, cap && `cap ${cap}`, ...flags].filter(Boolean).join(' ')
}
const percent = (raw: string) => summary(readPercent(raw, US))
const abatement = (raw: string) => {
  const { amount: left, abatedPercent, flags } = readAbatement(raw, US)
  return [left.value, abatedPercent, ...flags].filter(Boolean).join(' ')
}
const deposit = (raw: string) => {
  const reading = readDeposit(raw, US, '15000.00')
  return [summary(reading), reading.form].filter(Boolean).join(' ')
}
const area = (raw: string) => summary(readArea(raw, NEUTRAL))

export const LEASE_PAIRS: readonly PairRow[] = [
  { pair: 1, raw: 'the 1st day of January, 2023', read: date, is: '2023-01-01' },
  { pair: 2, raw: 'as of the 18th day of November, 2008', read: date, is: '2008-11-18' },
  { pair: 3, raw: 'this 22nd day of April, 2005', read: date, is: '2005-04-22' },
  { pair: 4, raw: '31st day of March,\n2000', read: date, is: '2000-03-31' },
  { pair: 5, raw: 'dated as of January, 2004', read: date, is: 'null DATE_PARTIAL {2004-01}' },
  { pair: 6, raw: 'November       , 2008', read: date, is: 'null DATE_PARTIAL BLANK_DAY {2008-11}' },
  { pair: 7, raw: '____ day of ________, 20__', read: date, is: 'null UNFILLED_BLANK' },
  { pair: 8, raw: 'Feb. 29, 2023', read: date, is: 'null INVALID_DATE' },
  { pair: 9, raw: 'February 29, 2012', read: date, is: '2012-02-29' },
  {
    pair: 10,
    raw: '12/31/28',
    read: raw => summary(readDate(raw, { ...US, yearPivot: 'future' })),
    is: '2028-12-31 TWO_DIGIT_YEAR'
  },
  { pair: 11, raw: '31.12.2028', read: raw => summary(readDate(raw, NEUTRAL)), is: '2028-12-31' },
  {
    pair: 12,
    raw: '3/1/15 – 2/29/16',
    read: range,
    is: '2015-03-01 TWO_DIGIT_YEAR → 2016-02-29 TWO_DIGIT_YEAR',
    note: 'every two-digit year is flagged'
  },
  { pair: 13, raw: '01/01/2019 – 12/31/2019', read: range, is: '2019-01-01 → 2019-12-31' },
  {
    pair: 14,
    raw: 'the first day of the month following substantial completion',
    read: date,
    is: 'null CONTINGENT_DATE'
  },
  { pair: 15, raw: 'January l, 2O23', read: raw => summary(readDate(raw, OCR)), is: '2023-01-01 OCR_REPAIR' },
  { pair: 16, raw: 'sixty (60) months', read: term, is: '60 fixed' },
  { pair: 17, raw: 'sixty (66) months', read: term, is: 'null WORDS_DIGITS_MISMATCH {60|66} fixed' },
  { pair: 18, raw: 'five (5) years', read: term, is: '60 fixed' },
  { pair: 18, raw: 'ten (10) years and six (6) months', read: term, is: '126 fixed' },
  { pair: 19, raw: 'seventy-four (74) months', read: term, is: '74 fixed' },
  { pair: 20, raw: 'one hundred twenty (120) full calendar months', read: term, is: '120 end_of_month fixed' },
  {
    pair: 21,
    raw: 'sixty (60) months from Commencement Date',
    read: raw => leaseEnd('2023-01-01', readTerm(raw).value ?? 0),
    is: '2027-12-31'
  },
  {
    pair: 22,
    raw: 'five (5) Lease Years',
    read: raw => leaseEnd('2023-03-15', readTerm(raw).value ?? 0, readTerm(raw).isEndOfMonth),
    is: '2028-03-31'
  },
  { pair: 22, raw: '2028-03-30', read: raw => leaseTermFlags('2023-03-15', raw, 60), is: ['TERM_MISMATCH'] },
  ...['month-to-month', 'at will'].map(raw => ({ pair: 23, raw, read: term, is: 'null month_to_month' })),
  {
    pair: 24,
    raw: 'Fifteen Thousand and 00/100 Dollars ($15,000.00)',
    read: amount,
    is: '15000.00 USD'
  },
  {
    pair: 25,
    raw: 'Fifteen Thousand Dollars ($1,500.00)',
    read: amount,
    is: 'null WORDS_DIGITS_MISMATCH {15000.00|1500.00} USD'
  },
  { pair: 26, raw: 'Seven Hundred Fifty Thousand Dollars ($750,000)', read: amount, is: '750000.00 USD' },
  {
    pair: 27,
    raw: 'Seven Hundred Eighty and 87/100 Dollars ($780.87) per month',
    read: rent(),
    is: '780.87 month => 780.87'
  },
  { pair: 28, raw: 'THIRTY-SIX THOUSAND TWO-HUNDRED SIXTY-SIX AND 2/100', read: amount, is: '36266.02' },
  { pair: 29, raw: 'Fifty Thousand and NO/100 Dollars ($50,000.00)', read: amount, is: '50000.00 USD' },
  ...['$15,000/mo', '$15,000 p.m.', '$15,000 monthly'].map(raw => ({
    pair: 30,
    raw,
    read: rent(),
    is: '15000.00 month => 15000.00'
  })),
  { pair: 31, raw: '$180,000 per annum', read: rent(), is: '180000.00 year => 15000.00 DERIVED' },
  { pair: 32, raw: '$235,000 per month', read: rent(), is: '235000.00 month => 235000.00' },
  { pair: 33, raw: '$26.00+E', read: rent(32_756), is: '26.00 psf_year => 70971.33 DERIVED PLUS_ELECTRIC' },
  { pair: 33, raw: '26.00', read: raw => yearlyRent(raw, 'psf_year', 32_756), is: '851656.00' },
  { pair: 34, raw: '$.75 psf NNN', read: rent(1000), is: '0.75  => null RATE_PERIOD_UNKNOWN RATE_PERIOD_UNKNOWN' },
  { pair: 35, raw: '$2.25/SF/mo', read: rent(1000), is: '2.25 psf_month => 2250.00 DERIVED' },
  { pair: 35, raw: '2.25', read: raw => yearlyRent(raw, 'psf_month', 1), is: '27.00' },
  { pair: 36, raw: '$18.50 NNN', read: rent(1000), is: '18.50 psf_year => 1541.67 DERIVED RATE_PERIOD_ASSUMED' },
  { pair: 37, raw: '24894.37', read: raw => rentFlags(raw, '298732.50'), is: ['ROUNDING_TOLERATED'] },
  { pair: 38, raw: '28894.37', read: raw => rentFlags(raw, '298732.50'), is: ['RENT_ARITHMETIC_MISMATCH'] },
  { pair: 39, raw: '($1,234.50)', read: amount, is: '-1234.50 USD' },
  { pair: 40, raw: '1.5M', read: amount, is: '1500000.00 SCALED_SUFFIX' },
  { pair: 40, raw: '$1.2MM', read: amount, is: '1200000.00 SCALED_SUFFIX USD' },
  { pair: 40, raw: '$15K', read: amount, is: '15000.00 SCALED_SUFFIX USD' },
  { pair: 41, raw: '1.234,56 €', read: amount, is: '1234.56 EU_DECIMAL EUR' },
  { pair: 42, raw: '15\u00a0000,00', read: amount, is: '15000.00 EU_DECIMAL' },
  { pair: 43, raw: "CHF 1'049,95", read: amount, is: '1049.95 CHF' },
  { pair: 44, raw: '$ 1.144.000', read: amount, is: '1144000.00 GROUP_DOT USD' },
  { pair: 45, raw: '$119. 95', read: amount, is: '119.95 INNER_SPACE USD' },
  { pair: 46, raw: '£12,500 p.a. exclusive', read: rent(), is: '12500.00 year => 1041.67 DERIVED' },
  { pair: 46, raw: '£12,500', read: raw => readAmount(raw, US).currency, is: 'GBP' },
  {
    pair: 47,
    raw: 'l5,OOO.OO',
    read: scanned,
    is: 'null OCR_SUSPECT {15000.00}',
    note: 'six of nine characters: without proof the gate holds it'
  },
  {
    pair: 47,
    raw: 'l5,OOO.OO',
    read: raw => summary(readMoneyWithProof(raw, OCR, provenByWords('Fifteen Thousand Dollars'))),
    is: '15000.00 OCR_REPAIR'
  },
  ...['S15,000.00', '$I5,000'].map(raw => ({ pair: 47, raw, read: scanned, is: '15000.00 OCR_REPAIR' })),
  {
    pair: 48,
    raw: '$15,OO0',
    read: raw => summary(readMoneyWithProof(raw, OCR, provenByWords('Fifteen Thousand'))),
    is: '15000.00 OCR_REPAIR'
  },
  ...['Free', 'abated', 'no Base Rent', '$0.00'].map(raw => ({
    pair: 49,
    raw,
    read: abatement,
    is: '0.00 100 ABATEMENT'
  })),
  { pair: 50, raw: '50% of Base Rent', read: abatement, is: '50 DERIVED' },
  { pair: 51, raw: "one month's rent", read: deposit, is: '15000.00 DERIVED' },
  { pair: 52, raw: 'letter of credit in the amount of $500,000', read: deposit, is: '500000.00 loc' },
  ...['None', 'Waived'].map(raw => ({ pair: 53, raw, read: deposit, is: '0.00 EXPLICIT_NONE' })),
  { pair: 54, raw: 'three percent (3%)', read: escalation, is: 'fixed_pct 0.03' },
  { pair: 55, raw: "103% of the prior year's Base Rent", read: escalation, is: 'fixed_pct 0.03 FACTOR_TO_RATE' },
  { pair: 56, raw: 'eight and one third percent (8.33%)', read: percent, is: '0.0833 WORDS_DIGITS_ROUNDED' },
  {
    pair: 56,
    raw: 'eight and one third percent (8.53%)',
    read: percent,
    is: 'null WORDS_DIGITS_MISMATCH {0.083333|0.0853}'
  },
  {
    pair: 57,
    raw: 'CPI, not less than 2% nor more than 5%',
    read: escalation,
    is: 'cpi floor 0.02 cap 0.05'
  },
  { pair: 58, raw: 'twenty-five basis points', read: percent, is: '0.0025' },
  { pair: 59, raw: 'increase by $0.50 per RSF', read: escalation, is: 'fixed_amount 0.50' },
  { pair: 60, raw: 'increase of 3', read: escalation, is: 'PERCENT_OR_AMOUNT_AMBIGUOUS' },
  { pair: 61, raw: 'approximately 15,475 rentable square feet', read: area, is: '15475 APPROXIMATE' },
  { pair: 62, raw: 'about 2,140 sq. ft.', read: area, is: '2140 APPROXIMATE', note: '"about" is an approximation too' },
  { pair: 62, raw: '199 m²', read: area, is: '2142 UNIT_CONVERTED' },
  { pair: 63, raw: '131,143 rentable square fee', read: area, is: '131143' },
  { pair: 64, raw: '12.45%', read: raw => readPercent(raw, US).percent, is: '12.45' },
  {
    pair: 64,
    raw: '12.45',
    read: raw => [shareMatches(raw, 15_475, 124_297), shareMatches(raw, 16_475, 124_297)],
    is: [true, false]
  },
  {
    pair: 65,
    raw: 'Est. CAM: $4.75/SF',
    read: raw => {
      const cam = readCam(raw, US, 15_475)
      return [cam.method, cam.rent?.amount.value, cam.rent?.period, cam.rent?.monthly.value, ...cam.flags]
    },
    is: ['fixed', '4.75', 'psf_year', '6125.52', 'DERIVED', 'ESTIMATE']
  },
  ...['included in Base Rent', 'full service gross'].map(raw => ({
    pair: 66,
    raw,
    read: (each: string) => readCam(each, US),
    is: { method: 'included', rent: null, flags: [] }
  })),
  {
    pair: 67,
    raw: "Tenant's Pro Rata Share of Operating Expenses",
    read: raw => readCam(raw, US),
    is: { method: 'pro_rata', rent: null, flags: ['AMOUNT_NOT_STATED'] }
  },
  {
    pair: 68,
    raw: 'two (2) options to renew for five (5) years each',
    read: raw => {
      const { count, termMonths } = readRenewal(raw)
      return [summary(count), summary(termMonths)]
    },
    is: ['2', '60']
  },
  {
    pair: 69,
    raw: 'not less than 180 nor more than 365 days',
    read: readNotice,
    is: { min: 180, max: 365, unit: 'days' }
  },
  { pair: 69, raw: 'nine (9) months prior', read: readNotice, is: { min: 9, max: null, unit: 'months' } },
  {
    pair: 70,
    raw: 'INOGEN, INC., a Delaware corporation ("Tenant")',
    read: raw => {
      const { name, state, entity } = readParty(raw)
      return [summary(name), state, entity]
    },
    is: ['INOGEN, INC.', 'DE', 'corporation']
  },
  { pair: 70, raw: 'XXXXXX XXXXX & COMPANY', read: raw => summary(readParty(raw).name), is: 'null REDACTED' }
]
